// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>

// With c the centre of mass, w = sqrt(g / z), the divergent component of motion [Englsberger15] is
//
//   xi = c + c' / w         xi' = w (xi - p)
//
// p, the pressure, goes evenly from where it was on landing to the middle u of the new sole in the
// double support T_d, and stays there. Then, t after a landing, xi at the next one is
//
//   xi_T = u + E (xi - u + k (u - p)),   E = e^(w (T - t)),   k = 1 - (1 - e^(-w s)) / (w s)
//
// with s what is left of the double support (k = 0 after it). A walk with steps (L, +-W) repeats
// itself where, on landing, xi - u is
//
//   x:  L (1 - k E) / (E - 1)          y:  -W (1 + k E) / (1 + E), away from the other foot
//
// with t = 0. What xi_T has of error with the nominal foothold is taken by the pressure, which
// moves by error / (E - 1) within the sole. While both feet are on the floor it moves between them
// as well, which takes what the sole leaves: a shift until the double support ends moves xi_T by
// shift E (1 - e^(-w s)). Of what is left then, foothold and time share [Khadiv20]: with
// D = xi_T - u at E = 1, the foothold u + D e^(w T) - b is a function of the time, and
//
//   min  |foothold - nominal|^2 + (weight (e^(w T) - e^(w T_nominal)))^2
//
// is linear in e^(w T).

static const double time_weight = 0.3;  // of an error of time, beside one of place
static const double early = 0.5;        // of the swing before which a touch is no landing
static const double loaded = 0.05;      // of the weight, of a foot that has landed
static const double off_course = 0.2;   // rad that a step turns back at most
static const double haste = 2.5;        // g, of the swinging foot at most
static const double least_power = 0.2;  // of the pressure on xi_T, that is counted on
static const double rough_part = 0.5;   // of a step's surprise that counts at once
static const double rough_half = 0.02;  // legs, of a surprise that halves the steps
static const double wide_grip = 1.2;    // of friction times height, that feet are apart at most
static const double least_gap = 0.02;   // legs, between the soles
static const double least_width = 0.45; // of the distance of the soles at rest
enum { CLOSING_STEPS = 2 };

static floor_point plus(floor_point a, double s, floor_point b)
{
    return (floor_point){a.x + s * b.x, a.y + s * b.y};
}

static floor_point turned(floor_point a, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (floor_point){c * a.x - s * a.y, s * a.x + c * a.y};
}

static double side_of(int support)
{
    return support == ATEMI_SIDE_LEFT ? 1.0 : -1.0;
}

static double heading_of(const atemi_mat3 *R)
{
    return atan2(R->x.y, R->x.x);
}

biped_axis biped_quintic(const biped_axis *from, const biped_axis *to, double duration, double time)
{
    const double T = duration, t = time;
    const double d =
        to->position - from->position - T * (from->velocity + 0.5 * T * from->acceleration);
    const double e = to->velocity - from->velocity - T * from->acceleration;
    const double f = to->acceleration - from->acceleration;
    const double c3 = (10.0 * d - 4.0 * T * e + 0.5 * T * T * f) / (T * T * T);
    const double c4 = (-15.0 * d + 7.0 * T * e - T * T * f) / (T * T * T * T);
    const double c5 = (6.0 * d - 3.0 * T * e + 0.5 * T * T * f) / (T * T * T * T * T);
    return (biped_axis){
        from->position +
            t * (from->velocity + t * (0.5 * from->acceleration + t * (c3 + t * (c4 + t * c5)))),
        from->velocity + t * (from->acceleration + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5))),
        from->acceleration + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))};
}

// Of the step under way.
static double usual_time(const biped_gait *g)
{
    return g->route.count > 0 ? g->route.ahead[0].time : g->step_time;
}

// k, where s of the double support are left.
static double passing_part(double rate, double s)
{
    const double ws = rate * s;
    return ws < 1e-4 ? 0.5 * fmax(ws, 0.0) : 1.0 - (1.0 - exp(-ws)) / ws;
}

// ---- Steps that repeat themselves

typedef struct nominal_step {
    floor_point step;    ///< from the support foot to the next foothold, world axes
    floor_point capture; ///< xi - u on landing there
    double      passing; ///< k of a whole double support
} nominal_step;

// How far apart feet shall be. They push the centre of mass to and fro by about half of their
// distance over its height: on a floor that does not hold that, they come nearer.
static double width_on(const biped_gait *g, const atemi_biped *b)
{
    const double sole = fmax(b->humanoid.soles[0].size_y, b->humanoid.soles[1].size_y);
    const double least = fmax(least_width * g->width, sole + least_gap * b->leg);
    return fmin(fmax(wide_grip * b->grip.friction * b->height, least), g->width);
}

static nominal_step nominal(const biped_gait *g, double rate)
{
    if (g->route.count > 0) {
        const double      k = passing_part(rate, g->double_support);
        const floor_point step = plus(g->route.ahead[0].place, -1.0, g->sole);
        return (nominal_step){step, biped_route_capture(g, rate, k), k};
    }
    // The next foot is on the other side: to the right of a left support.
    const double side = side_of(g->support), k = passing_part(rate, g->double_support);
    const double E = exp(rate * g->step_time);
    const bool   leads = side * g->sideways < 0.0; // the foot that goes first to that side
    const double go = g->walks ? g->stride : 0.0, L = go * g->forwards,
                 side_step = go * g->sideways;
    const double      S = leads ? 2.0 * side_step : 0.0;
    const floor_point step = {L, -side * g->apart + S};
    const floor_point capture = {L * (1.0 - k * E) / (E - 1.0),
                                 side * g->apart * (1.0 + k * E) / (1.0 + E) +
                                     side_step * (1.0 - k * E) / (E - 1.0)};
    return (nominal_step){turned(step, g->course), turned(capture, g->course), k};
}

// ---- Phases

// The course turns with each step. A robot that was turned against its will comes back to it by
// what a step can turn.
static void follow_course(biped_gait *g)
{
    const double course = g->course + (g->walks ? g->turning : 0.0);
    const double off = remainder(course - g->heading, 2.0 * 3.14159265358979323846);
    g->course = g->heading + biped_within(off, -off_course, off_course);
}

// How far a foot has landed above or below where it was expected, on average over the last steps.
static void feel_floor(biped_gait *g, const biped_view *view, const atemi_biped *b)
{
    const atemi_vec3 foot = view->soles[1 - g->support].position;
    const double surprise = fabs(foot.z - biped_slope_height(&b->slope, foot.x, foot.y)) / b->leg;
    g->rough += rough_part * (surprise - g->rough);
    g->stride =
        fmin(biped_grip_stride(&b->grip), 1.0 / (1.0 + fmax(g->rough / rough_half - 0.2, 0.0)));
}

static void stand_on(biped_gait *g, const biped_view *view, int side)
{
    const atemi_transform *sole = &view->soles[side];
    g->support = side;
    g->sole = (floor_point){sole->position.x, sole->position.y};
    g->heading = heading_of(&sole->rotation);
}

static void land(atemi_biped *b, const biped_view *view)
{
    biped_gait *g = &b->gait;
    const bool  given = g->route.given_count > 0;
    stand_on(g, view, 1 - g->support);
    g->phase = ATEMI_BIPED_PASSES;
    g->clock = 0.0;
    g->passing_from = g->pressure;
    if (given) {
        g->course = g->route.ahead[0].heading;
    } else {
        follow_course(g);
    }
    if (g->route.count > 0) {
        biped_route_land(&g->route, g->sole);
        biped_route_plan(b);
    } else if (g->route.map) { // given on the way
        biped_route_start(b, view);
    }
    g->duration = usual_time(g);
    g->closing += !g->walks;
    g->closing = given ? 0 : g->closing;
    ++g->landings;
}

// Whether the landing was the last one.
static bool is_over(const biped_gait *g, bool given)
{
    return given ? g->route.given_count == 0 && !g->walks : g->closing > CLOSING_STEPS;
}

static bool has_landed(const biped_gait *g, const biped_view *view, double weight)
{
    const double swing = g->duration - g->double_support;
    return g->clock - g->double_support > early * swing &&
           view->forces[1 - g->support] > loaded * weight;
}

static floor_point middle(const biped_view *view)
{
    const atemi_vec3 a = view->soles[0].position, b = view->soles[1].position;
    return (floor_point){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

// From here on the divergent component is led to a goal.
static void lead(biped_gait *g, const biped_view *view, floor_point goal)
{
    g->goal_from = view->capture;
    g->goal = goal;
}

static void stand(biped_gait *g, const biped_view *view)
{
    g->phase = ATEMI_BIPED_STANDS;
    g->clock = 0.0;
    g->leaves = false;
    g->closing = 0;
    g->route.count = 0;
    lead(g, view, middle(view));
}

void biped_gait_start(biped_gait *g, const biped_view *view)
{
    g->support = ATEMI_SIDE_LEFT;
    g->landings = 0;
    g->duration = g->step_time;
    g->heading = heading_of(&view->soles[g->support].rotation);
    g->course = g->heading;
    g->sole = (floor_point){view->soles[g->support].position.x, view->soles[g->support].position.y};
    g->foothold = g->sole;
    g->pressure = view->capture;
    stand(g, view);
}

// Where the divergent component is when a foot lifts after a rest, in a walk on the spot.
static floor_point lifting(const biped_gait *g, double rate)
{
    const double side = side_of(g->support);
    const double E = exp(rate * (usual_time(g) - g->double_support)),
                 k = passing_part(rate, g->double_support);
    if (g->route.count > 0) {
        const floor_point landing =
            plus(g->route.ahead[0].place, 1.0, biped_route_capture(g, rate, k));
        return plus(g->sole, 1.0 / E, plus(landing, -1.0, g->sole));
    }
    const double landing =
        side * g->width * (1.0 + k * exp(rate * g->step_time)) / (1.0 + exp(rate * g->step_time));
    const floor_point away =
        turned((floor_point){0.0, (-side * g->width + landing) / E}, g->heading);
    return plus(g->sole, 1.0, away);
}

// The pressure that leads the divergent component on a quintic to its goal.
static void lead_pressure(biped_gait *g, const biped_view *view, double duration, double rate)
{
    const double t = fmin(g->clock, duration);
    const double from[] = {g->goal_from.x, g->goal_from.y}, to[] = {g->goal.x, g->goal.y};
    const double now[] = {view->capture.x, view->capture.y};
    double       p[2];
    for (int i = 0; i < 2; ++i) {
        const biped_axis start = {from[i], 0.0, 0.0}, end = {to[i], 0.0, 0.0};
        const biped_axis led = biped_quintic(&start, &end, duration, t);
        p[i] = now[i] - led.velocity / view->rate + rate / view->rate * (now[i] - led.position);
    }
    g->pressure = (floor_point){p[0], p[1]};
}

// ---- Pressure, foothold and time

// The pressure of the plan, and what xi_T - u is of it at E = 1.
static floor_point plan_pressure(biped_gait *g, const biped_view *view)
{
    const double left = g->double_support - g->clock;
    floor_point  p = g->sole;
    if (left > 0.0) {
        const double part = left / g->double_support;
        p = plus(g->sole, part, plus(g->passing_from, -1.0, g->sole));
    }
    const double k = passing_part(view->rate, fmax(left, 0.0));
    g->pressure = p;
    return plus(plus(view->capture, -1.0, g->sole), k, plus(g->sole, -1.0, p));
}

// Moves the pressure between the feet while both are on the floor. What that takes of the error.
static floor_point pass_pressure(biped_gait *g, floor_point error, double E, double rate)
{
    const double      left = g->double_support - g->clock;
    const floor_point way = plus(g->passing_from, -1.0, g->sole);
    const double      square = way.x * way.x + way.y * way.y;
    if (!(left > 0.0 && square > 0.0)) {
        return (floor_point){0.0, 0.0};
    }
    const double part = left / g->double_support, power = E * (1.0 - exp(-rate * left));
    const double wish = (error.x * way.x + error.y * way.y) / (square * fmax(power, least_power));
    const double shift = biped_within(wish, -part, 1.0 - part);
    g->pressure = plus(g->pressure, shift, way);
    return (floor_point){power * shift * way.x, power * shift * way.y};
}

// Moves the pressure within the sole.
static floor_point shift_pressure(biped_gait *g, const atemi_biped *b, floor_point error, double E)
{
    const atemi_sole *sole = &b->humanoid.soles[g->support];
    const double      room = 1.0 - b->options.edge, gain = 1.0 / fmax(E - 1.0, least_power);
    const floor_point wish = turned((floor_point){gain * error.x, gain * error.y}, -g->heading);
    const double      Y = biped_foot_rolls(b, g->support) ? 0.0 : 0.5 * room * sole->size_y;
    const floor_point shift =
        turned((floor_point){biped_within(wish.x, b->low[g->support], b->high[g->support]),
                             biped_within(wish.y, -Y, Y)},
               g->heading);
    g->pressure = plus(g->pressure, 1.0, shift);
    return (floor_point){(E - 1.0) * shift.x, (E - 1.0) * shift.y};
}

// The foothold may not be too far away nor near to the support foot.
static floor_point reachable(const biped_gait *g, floor_point foothold)
{
    const double side = side_of(g->support);
    floor_point  step = turned(plus(foothold, -1.0, g->sole), -g->heading);
    step.x = biped_within(step.x, -g->longest, g->longest);
    const double out = biped_within(-side * step.y, fmin(g->narrowest * g->width, g->apart),
                                    g->width + 0.7 * g->longest);
    step.y = -side * out;
    const floor_point place = plus(g->sole, 1.0, turned(step, g->heading));
    return g->route.count > 0 ? biped_route_keep(&g->route.ahead[0], place) : place;
}

// (1 - k) foothold = u + D e - capture - k (u + step), with e = e^(w (T - t)): from + e slope.
typedef struct foothold_line {
    floor_point from, slope;
} foothold_line;

static foothold_line line_of(const biped_gait *g, floor_point D, const nominal_step *n)
{
    const double      k = n->passing;
    const floor_point rest = plus(plus(plus(g->sole, -1.0, n->capture), -k, g->sole), -k, n->step);
    return (foothold_line){{rest.x / (1.0 - k), rest.y / (1.0 - k)},
                           {D.x / (1.0 - k), D.y / (1.0 - k)}};
}

// Of a foot that is late: it lands at any moment.
static void follow_foothold(biped_gait *g, floor_point D, const nominal_step *n)
{
    const foothold_line line = line_of(g, D, n);
    g->foothold = reachable(g, plus(line.from, 1.0, line.slope));
}

// Foothold and time.
static void place_foot(biped_gait *g, const biped_view *view, floor_point D, const nominal_step *n)
{
    const double        w = view->rate;
    const foothold_line line = line_of(g, D, n);
    const floor_point   slope = line.slope;
    const floor_point   wish = plus(plus(g->sole, 1.0, n->step), -1.0, line.from);
    const double        T_usual = usual_time(g);
    const double        usual = exp(w * fmax(T_usual - g->clock, 0.0));
    const double        weight = time_weight * time_weight * g->width * g->width;
    const double        best = (slope.x * wish.x + slope.y * wish.y + weight * usual) /
                        (slope.x * slope.x + slope.y * slope.y + weight);
    const double soonest = fmax(g->clock, g->double_support) + g->needed;
    const double least =
        fmax(fmax(g->fastest * T_usual, g->clock + g->last_change), fmin(soonest, g->duration));
    const double T = g->clock + log(fmax(best, 1.0)) / w;
    g->duration = biped_within(T, least, fmax(least, g->slowest * T_usual));
    g->foothold = reachable(g, plus(line.from, exp(w * (g->duration - g->clock)), slope));
}

// Over a distance, from the speed v towards its end, with the acceleration A and as much to stop:
// (2 sqrt(A d + v^2 / 2) - v) / A.
static double time_over(double distance, double speed, double A)
{
    return (2.0 * sqrt(A * fmax(distance, 0.0) + 0.5 * speed * speed) - speed) / A;
}

// Up by `high` over the highest ground on the route, and down, from the height z and speed vz.
static double time_known(const biped_gait *g, double z, double vz, double high, double A)
{
    const biped_route *r = &g->route;
    const double       top = r->level + r->top + high, to = r->level + r->ahead[0].height;
    const bool         rises = g->clock < 0.5 * (g->double_support + g->duration);
    const double       up = rises ? time_over(top - z, fmax(vz, 0.0), A) : 0.0;
    return up + (rises ? time_over(top - to, 0.0, A) : time_over(z - to, -vz, A));
}

// Of the swinging foot: across to its foothold, and meanwhile up, until half of the swing, and down
// again. A quintic needs 5.77 / 4 of the acceleration.
static double time_needed(const biped_gait *g, const biped_view *view, const atemi_biped *b)
{
    const atemi_vec3  from = view->soles[1 - g->support].position;
    const atemi_vec3  v = view->motions[1 - g->support].linear;
    const double      A = haste * b->gravity * 4.0 / 5.77;
    const floor_point way = {g->foothold.x - from.x, g->foothold.y - from.y};
    const double      across = hypot(way.x, way.y);
    const double      speed = across > 0.0 ? (way.x * v.x + way.y * v.y) / across : 0.0;
    const double      high = b->options.clearance * b->leg;
    const bool        rises = g->clock < 0.5 * (g->double_support + g->duration);
    if (g->route.count > 0) {
        return fmax(time_over(across, speed, A), time_known(g, from.z, v.z, high, A));
    }
    const double above = from.z - biped_slope_height(&b->slope, from.x, from.y);
    const double up = rises ? time_over(high - above, fmax(v.z, 0.0), A) : 0.0;
    const double down = rises ? time_over(high, 0.0, A) : time_over(above, -v.z, A);
    return fmax(time_over(across, speed, A), up + down);
}

static void decide(biped_gait *g, const biped_view *view, const atemi_biped *b)
{
    g->apart = width_on(g, b);
    const nominal_step n = nominal(g, view->rate);
    g->needed = time_needed(g, view, b);
    const floor_point D = plan_pressure(g, view);
    const double      E = exp(view->rate * fmax(g->duration - g->clock, 0.0));
    const floor_point usual = plus(plus(g->sole, 1.0, n.step), 1.0, n.capture);
    const floor_point goal = g->duration - g->clock > g->last_change
                                 ? usual
                                 : plus(plus(g->foothold, 1.0, n.capture), -n.passing,
                                        plus(g->foothold, -1.0, plus(g->sole, 1.0, n.step)));
    const floor_point reached = plus(g->sole, E, D);
    const floor_point error = plus(reached, -1.0, goal);
    const floor_point shifted = shift_pressure(g, b, error, E);
    const floor_point passed = pass_pressure(g, plus(error, -1.0, shifted), E, view->rate);
    if (g->duration - g->clock > g->last_change) {
        place_foot(g, view, plus(D, -1.0 / E, plus(shifted, 1.0, passed)), &n);
    } else if (g->clock > g->duration) {
        follow_foothold(g, D, &n);
    }
}

// From rest on into the first step, which is that of a foot that is given, or of the right one.
static void leave(atemi_biped *b, const biped_view *view)
{
    biped_gait  *g = &b->gait;
    biped_route *r = &g->route;
    if (r->given_count > 0) {
        stand_on(g, view, 1 - r->given[r->next].side);
    }
    g->apart = width_on(g, b);
    biped_route_start(b, view);
    g->leaves = true;
    g->clock = 0.0;
    lead(g, view, lifting(g, view->rate));
}

// Rests, or goes from rest into the first step.
static void rest(atemi_biped *b, const biped_view *view)
{
    biped_gait *g = &b->gait;
    if (g->clock >= g->starting && g->leaves) {
        g->phase = ATEMI_BIPED_SWINGS;
        g->clock = g->double_support;
        g->duration = usual_time(g);
    } else if (g->clock >= g->starting && (g->walks || g->route.given_count > 0)) {
        leave(b, view);
    } else if (!g->leaves) {
        biped_route_rest(b, view);
    }
    lead_pressure(g, view, g->starting, b->options.capture_rate / b->time_unit);
}

void biped_gait_update(atemi_biped *b, const biped_view *view)
{
    biped_gait *g = &b->gait;
    g->clock += b->options.tick;
    g->capture = view->capture;
    if (g->phase == ATEMI_BIPED_SWINGS && has_landed(g, view, b->mass * b->gravity)) {
        const bool given = g->route.given_count > 0;
        feel_floor(g, view, b);
        land(b, view);
        if (is_over(g, given)) {
            stand(g, view);
        }
    }
    if (g->phase == ATEMI_BIPED_PASSES && g->clock >= g->double_support) {
        g->phase = ATEMI_BIPED_SWINGS;
    }
    if (g->phase == ATEMI_BIPED_STANDS) {
        rest(b, view);
    }
    if (g->phase != ATEMI_BIPED_STANDS) {
        decide(g, view, b);
    }
}
