// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/decimal.h"

#include "io/bytes/decimal_powers.h"
#include "io/bytes/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Writing [Giulietti20]. A double c 2^q stands for all reals that round to it, an interval that
// reaches half a step to either side, and less downwards where c is a power of two. With
// k = floor(log10 of its length), scaling by 10^-k makes the interval longer than 1 and shorter
// than 10, so the shortest decimal in it is a multiple of 10 if there is one, otherwise a whole
// number; at most four candidates are left. 128 bits of 10^-k, rounded up, and a sticky last bit
// decide every comparison with the ends of the interval exactly.
//
// Reading [Lemire21]. digits 10^e, with at most 19 digits, times 128 bits of 10^e, truncated, gives
// the double unless the product is too near to the middle between two. Then, and where a power is
// beyond the table, the slow way takes over: number.c to read, trying lengths to write.

__extension__ typedef unsigned __int128 uint128;

enum {
    FRACTION_BITS = 52,
    EXPONENT_BIAS = 1075,
    EXPONENT_MASK = 0x7FF,
    MAX_DIGITS = 17,              // of a double
    MAX_SCANNED_DIGITS = 19,      // of a uint64_t
    LARGEST_EXACT_DIVISOR = 22,   // 10^22 is a double without error
    LEAST_PLAIN_EXPONENT = -4,    // of the first digit: 0.00001 is written without "e"
    LARGEST_PLAIN_EXPONENT = 17,  // so is 99999999999999999
    LARGEST_EXPONENT = 100000000, // scanned; ten times that is more than any text has digits
};

static const uint64_t fraction_mask = ((uint64_t)1 << FRACTION_BITS) - 1;
static const uint64_t hidden_bit = (uint64_t)1 << FRACTION_BITS;

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Right shifts of negative numbers round down in all compilers that we build with.

static int floor_log2_of_power(int exponent) // of 10^exponent
{
    return (exponent * 1741647) >> 19;
}

static int floor_log10_of_step(int q, bool narrow) // of 2^q, or of 3/4 2^q
{
    return (q * 1262611 - (narrow ? 524031 : 0)) >> 22;
}

static bool power_is_known(int exponent)
{
    return exponent >= DECIMAL_LEAST_POWER && exponent <= DECIMAL_LARGEST_POWER;
}

// ---- Writing

// digits 10^exponent
typedef struct digits {
    uint64_t digits;
    int      exponent;
} digits;

static decimal_power power_rounded_up(int exponent)
{
    decimal_power power = decimal_powers[exponent - DECIMAL_LEAST_POWER];
    if (exponent < 0 || exponent > DECIMAL_LARGEST_EXACT_POWER) {
        power.low += 1;
        power.high += power.low == 0;
    }
    return power;
}

// The upper third of a product of 192 bits; its last bit is set where the rest is not zero.
static uint64_t multiply_to_odd(decimal_power power, uint64_t factor)
{
    const uint128 low = (uint128)power.low * factor;
    const uint128 sum = (uint128)power.high * factor + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

// The shortest decimal in an interval whose ends and middle are given in quarters.
static digits choose_shortest(uint64_t lower, uint64_t middle, uint64_t upper, int k)
{
    const uint64_t whole = middle / 4;
    const uint64_t ten = whole / 10;
    if (ten > 0) {
        const bool low_inside = lower <= 40 * ten;
        const bool high_inside = 40 * ten + 40 <= upper;
        if (low_inside != high_inside) {
            return (digits){ten + high_inside, k + 1};
        }
    }
    const bool low_inside = lower <= 4 * whole;
    const bool high_inside = 4 * whole + 4 <= upper;
    if (low_inside != high_inside) {
        return (digits){whole + high_inside, k};
    }
    const uint64_t half = 4 * whole + 2;
    return (digits){whole + (middle > half || (middle == half && whole % 2 == 1)), k};
}

// Of c 2^q, where `narrow` says that the double below is half as far as the one above.
static bool find_shortest(uint64_t c, int q, bool narrow, digits *shortest)
{
    const int k = floor_log10_of_step(q, narrow);
    if (!power_is_known(-k)) {
        return false;
    }
    const decimal_power power = power_rounded_up(-k);
    const int           shift = q + floor_log2_of_power(-k) + 1;
    const uint64_t      open = c % 2; // an end belongs to the interval where c is even
    const uint64_t      lower = multiply_to_odd(power, (4 * c - 2 + narrow) << shift);
    const uint64_t      middle = multiply_to_odd(power, (4 * c) << shift);
    const uint64_t      upper = multiply_to_odd(power, (4 * c + 2) << shift);
    *shortest = choose_shortest(lower + open, middle, upper - open, k);
    return true;
}

static bool decompose(double size, digits *shortest)
{
    const uint64_t bits = bits_of(size);
    const uint64_t fraction = bits & fraction_mask;
    const int      exponent = (int)(bits >> FRACTION_BITS);
    if (exponent == 0) {
        return false; // beyond the table anyway
    }
    const uint64_t c = fraction | hidden_bit;
    const int      q = exponent - EXPONENT_BIAS;
    if (q <= 0 && q >= -FRACTION_BITS && (c & (((uint64_t)1 << -q) - 1)) == 0) {
        *shortest = (digits){c >> -q, 0};
        return true;
    }
    return find_shortest(c, q, fraction == 0 && exponent > 1, shortest);
}

// The slow way, in scientific notation with any decimal point that the locale may have.
static digits decompose_by_trial(double size)
{
    digits found = {0, 0};
    for (int count = 1; count <= MAX_DIGITS; ++count) {
        char text[ATEMI_DECIMAL_SIZE];
        // %e has one digit, the point of the locale, and the others.
        snprintf(text, sizeof text, "%.*e", count - 1, size);
        const char *e = strchr(text, 'e');
        found = (digits){0, atoi(e + 1) - (count - 1)};
        for (const char *c = text; c < e; ++c) {
            found.digits =
                *c >= '0' && *c <= '9' ? 10 * found.digits + (uint64_t)(*c - '0') : found.digits;
        }
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)found.digits, found.exponent);
        double           back = 0.0;
        const atemi_word word = {text, (int)strlen(text)};
        if (atemi_number_parse(word, &back) == ATEMI_NUMBER_FINE && back == size) {
            break;
        }
    }
    return found;
}

static void drop_zeros(digits *number)
{
    while (number->digits % 10 == 0) {
        number->digits /= 10;
        ++number->exponent;
    }
}

// The digits as text, two at a time from the end.
static int write_digits(uint64_t number, char text[MAX_SCANNED_DIGITS + 1])
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char              reversed[MAX_SCANNED_DIGITS + 1];
    char             *start = reversed + sizeof reversed;
    char *const       end = start;
    while (number >= 100) {
        start -= 2;
        memcpy(start, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        start -= 2;
        memcpy(start, pairs + 2 * number, 2);
    } else {
        *--start = (char)('0' + number);
    }
    memcpy(text, start, (size_t)(end - start));
    return (int)(end - start);
}

static char *put(char *to, const char *from, int count)
{
    memcpy(to, from, (size_t)count);
    return to + count;
}

static char *put_zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

// `first` is the power of ten of the first digit.
static char *put_plain(char *to, const char *text, int count, int first)
{
    if (first < 0) {
        to = put(to, "0.", 2);
        to = put_zeros(to, -first - 1);
        return put(to, text, count);
    }
    if (first >= count - 1) {
        to = put(to, text, count);
        return put_zeros(to, first - count + 1);
    }
    to = put(to, text, first + 1);
    *to++ = '.';
    return put(to, text + first + 1, count - first - 1);
}

static char *put_scientific(char *to, const char *text, int count, int first)
{
    *to++ = text[0];
    if (count > 1) {
        *to++ = '.';
        to = put(to, text + 1, count - 1);
    }
    *to++ = 'e';
    if (first < 0) {
        *to++ = '-';
    }
    return to + write_digits((uint64_t)abs(first), to);
}

int atemi_decimal_write(double value, char text[ATEMI_DECIMAL_SIZE])
{
    char *to = text;
    if (signbit(value)) {
        *to++ = '-';
    }
    digits number = {0, 0};
    if (value != 0.0) {
        if (!decompose(fabs(value), &number)) {
            number = decompose_by_trial(fabs(value));
        }
        drop_zeros(&number);
    }
    char       all[MAX_SCANNED_DIGITS + 1];
    const int  count = write_digits(number.digits, all);
    const int  first = number.exponent + count - 1;
    const bool plain = first >= LEAST_PLAIN_EXPONENT - 1 && first < LARGEST_PLAIN_EXPONENT;
    to = plain ? put_plain(to, all, count, first) : put_scientific(to, all, count, first);
    *to = '\0';
    return (int)(to - text);
}

// ---- Reading

typedef struct scanned {
    uint64_t digits;
    int      exponent;
    int      count; ///< digits scanned, without zeros in front
    bool     any;   ///< there was a digit
    bool     negative;
} scanned;

static const char *scan_digits(const char *at, const char *end, scanned *number)
{
    for (; at < end; ++at) {
        const unsigned digit = (unsigned)(*at - '0');
        if (digit > 9) {
            break;
        }
        number->any = true;
        number->count += number->count > 0 || digit > 0;
        number->digits = 10 * number->digits + digit; // may wrap; `count` tells
    }
    return at;
}

static const char *scan_fraction(const char *at, const char *end, scanned *number)
{
    if (at < end && *at == '.') {
        const char *last = scan_digits(at + 1, end, number);
        number->exponent = -(int)(last - at - 1);
        return last;
    }
    return at;
}

static const char *scan_exponent(const char *at, const char *end, scanned *number)
{
    if (at == end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    const char *first = at + 1;
    const bool  negative = first < end && *first == '-';
    first += first < end && (*first == '-' || *first == '+');
    const char *next = first;
    int         exponent = 0;
    for (; next < end && *next >= '0' && *next <= '9'; ++next) {
        exponent =
            exponent < LARGEST_EXPONENT ? 10 * exponent + (*next - '0') : 10 * LARGEST_EXPONENT;
    }
    number->exponent += negative ? -exponent : exponent;
    return next == first ? at : next;
}

// False where it is no number.
static bool scan(const char *at, const char *end, scanned *number)
{
    *number = (scanned){0};
    number->negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    at = scan_digits(at, end, number);
    at = scan_fraction(at, end, number);
    at = scan_exponent(at, end, number);
    return at == end && number->any;
}

// One rounding of two exact doubles [Clinger90].
static bool convert_small(const scanned *number, double *size)
{
    static const double powers[LARGEST_EXACT_DIVISOR + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int exponent = abs(number->exponent);
    if (number->digits > 2 * hidden_bit || exponent > LARGEST_EXACT_DIVISOR) {
        return false;
    }
    const double whole = (double)number->digits;
    *size = number->exponent < 0 ? whole / powers[exponent] : whole * powers[exponent];
    return true;
}

// The double nearest to high 2^64 + low, which has its first or second bit set, times 2^n such that
// `exponent` is the biased one if it is the first. False near the middle between two doubles.
static bool round_product(uint64_t high, uint64_t low, int exponent, double *size)
{
    const int first = (int)(high >> 63);
    uint64_t  fraction = high >> (first + 9);
    exponent -= 1 - first;
    if (low == 0 && (high & 0x1FF) == 0 && (fraction & 3) == 1) {
        return false;
    }
    fraction = (fraction + (fraction & 1)) >> 1;
    if (fraction >> (FRACTION_BITS + 1)) {
        fraction >>= 1;
        ++exponent;
    }
    if (exponent < 1 || exponent >= EXPONENT_MASK) {
        return false;
    }
    *size = double_of((uint64_t)exponent << FRACTION_BITS | (fraction & fraction_mask));
    return true;
}

static bool convert_large(const scanned *number, double *size)
{
    if (number->digits == 0 || !power_is_known(number->exponent)) {
        return false;
    }
    const decimal_power power = decimal_powers[number->exponent - DECIMAL_LEAST_POWER];
    const int           shift = __builtin_clzll(number->digits);
    const uint64_t      factor = number->digits << shift;
    const int           exponent = floor_log2_of_power(number->exponent) + 64 + 1023 - shift;

    uint128 product = (uint128)power.high * factor;
    if ((product >> 64 & 0x1FF) == 0x1FF && (uint64_t)product + factor < factor) {
        const uint128 rest = (uint128)power.low * factor;
        product += (uint64_t)(rest >> 64);
        if ((product >> 64 & 0x1FF) == 0x1FF && (uint64_t)product == UINT64_MAX &&
            (uint64_t)rest + factor < factor) {
            return false;
        }
    }
    return round_product((uint64_t)(product >> 64), (uint64_t)product, exponent, size);
}

atemi_decimal_kind atemi_decimal_read(const char *text, int length, double *value)
{
    scanned number;
    double  size;
    if (!scan(text, text + length, &number)) {
        return ATEMI_DECIMAL_NONE;
    }
    if (number.count > MAX_SCANNED_DIGITS ||
        (!convert_small(&number, &size) && !convert_large(&number, &size))) {
        return ATEMI_DECIMAL_HARD;
    }
    *value = number.negative ? -size : size;
    return ATEMI_DECIMAL_READ;
}
