// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp, accept4, strcasestr, P_tmpdir
#endif

#include "live_server.h"

#include "output.h"

#include "atemi/base.h"
#include "io/bytes/file.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    REQUEST_SIZE = 8192,
    HEAD_SIZE = 512,
    NAME_SIZE = 64,
    READ_TIME = 200,      // ms for a request to come
    SEND_TIME = 2,        // s for an answer to go
    WAITING_LINE = 16,    // connections
    MOST_PAGE = 256 << 20 // bytes
};

// The page fetches the state from here, and its policy must allow that.
static const char policy[] = "img-src data:;";
static const char live_policy[] = "img-src data:; connect-src 'self';";
static const char head[] = "<meta charset=\"utf-8\">";
static const char live_head[] = "<meta charset=\"utf-8\"><meta name=\"atemi-live\" content=\"%d\">";

// ---- Beginning and end

static bool make_token(char token[LIVE_TOKEN + 1])
{
    unsigned char bytes[LIVE_TOKEN / 2];
    const int     source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const bool    whole = source >= 0 && read(source, bytes, sizeof bytes) == sizeof bytes;
    if (source >= 0) {
        close(source);
    }
    for (size_t i = 0; i < sizeof bytes && whole; ++i) {
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    }
    return whole;
}

static bool begin_listening(live_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0};
    socklen_t          size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0) {
        return false;
    }
#ifdef TCP_DEFER_ACCEPT
    // Browsers open connections in advance; the job does not wait for these.
    const int seconds = 1;
    (void)setsockopt(server->listener, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
#endif
    const bool listens =
        bind(server->listener, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(server->listener, WAITING_LINE) == 0 &&
        getsockname(server->listener, (struct sockaddr *)&address, &size) == 0;
    server->port = ntohs(address.sin_port);
    if (!listens) {
        close(server->listener);
    }
    return listens;
}

bool live_server_begin(live_server *server)
{
    const char *place = getenv("TMPDIR");
    *server = (live_server){.listener = -1};
    const int length = snprintf(server->folder, LIVE_PATH, "%s/atemi-live-XXXXXX",
                                place && place[0] ? place : P_tmpdir);
    if (length >= LIVE_PATH || !make_token(server->token) || !mkdtemp(server->folder)) {
        return false;
    }
    if (!begin_listening(server)) {
        rmdir(server->folder);
        return false;
    }
    return true;
}

static void page_path(const live_server *server, char path[LIVE_PATH + NAME_SIZE])
{
    snprintf(path, LIVE_PATH + NAME_SIZE, "%s/page.html", server->folder);
}

void live_server_end(live_server *server)
{
    char path[LIVE_PATH + NAME_SIZE];
    page_path(server, path);
    unlink(path);
    rmdir(server->folder);
    close(server->listener);
}

void live_server_address(const live_server *server, char address[LIVE_ADDRESS])
{
    snprintf(address, LIVE_ADDRESS, "http://127.0.0.1:%d/%s/", server->port, server->token);
}

// ---- Answers

static void send_all(int connection, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return; // gone, or too slow
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void send_answer(int connection, const char *status, const char *type, const char *bytes,
                        size_t size)
{
    char      text[HEAD_SIZE];
    const int length = snprintf(
        text, sizeof text,
        "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
        "Connection: close\r\nCache-Control: no-store\r\nX-Frame-Options: DENY\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n"
        "\r\n",
        status, type, size);
    send_all(connection, text, (size_t)length);
    send_all(connection, bytes, size);
}

static void send_text(int connection, const char *status, const char *type, const char *text)
{
    send_answer(connection, status, type, text, strlen(text));
}

static int row_count(const live_server *server)
{
    return server->recording ? atemi_recording_row_count(server->recording) : 0;
}

static void send_state(const live_server *server, int connection)
{
    char text[HEAD_SIZE];
    snprintf(text, sizeof text, "{\"rows\": %d, \"done\": %.4f, \"ended\": %s}\n",
             row_count(server), server->done, server->ended ? "true" : "false");
    send_text(connection, "200 OK", "application/json", text);
}

static void send_waiting(const live_server *server, int connection)
{
    char text[HEAD_SIZE];
    snprintf(text, sizeof text,
             "<!doctype html><html lang=\"en\"><meta http-equiv=\"refresh\" content=\"1\">"
             "<meta name=\"color-scheme\" content=\"light dark\"><title>atemi</title>"
             "<p>The job is under way: %.0f %%. Its page comes with its first rows.</p></html>\n",
             100.0 * server->done);
    send_text(connection, "200 OK", "text/html", text);
}

// Puts another text in the place of the first one that is found.
static char *with_other(char *page, const char *text, const char *other)
{
    const char  *at = strstr(page, text);
    const size_t size = strlen(page) + strlen(other) + 1;
    char        *made = at ? (char *)atemi_allocate(size) : NULL;
    if (made) {
        snprintf(made, size, "%.*s%s%s", (int)(at - page), page, other, at + strlen(text));
    }
    atemi_release(page);
    return made;
}

// What a page warns of, such as meshes that are not found, is said once.
static atemi_status make_page(live_server *server, char **page, atemi_error *error)
{
    char   path[LIVE_PATH + NAME_SIZE], meta[HEAD_SIZE];
    size_t size;
    page_path(server, path);
    output_set_quiet(server->has_warned);
    atemi_status status = atemi_report_write(server->recording, path, error);
    output_set_quiet(false);
    server->has_warned = true;
    if (!status) {
        status = atemi_file_read(path, MOST_PAGE, page, &size, error);
    }
    if (status || server->ended) {
        return status;
    }
    snprintf(meta, sizeof meta, live_head, row_count(server));
    *page = with_other(*page, policy, live_policy);
    *page = *page ? with_other(*page, head, meta) : NULL;
    return *page ? ATEMI_OK : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the page");
}

static void send_page(live_server *server, int connection)
{
    char       *page = NULL;
    atemi_error error = {0};
    if (row_count(server) == 0 && !server->ended) {
        send_waiting(server, connection);
        return;
    }
    if (!server->recording || make_page(server, &page, &error) || !page) {
        send_text(connection, "500 Internal Server Error", "text/plain",
                  server->recording ? error.message : "the job left no recording");
    } else {
        send_text(connection, "200 OK", "text/html", page);
        atemi_release(page);
    }
    server->is_seen = server->ended;
}

// ---- Requests

// In a time that does not say how much of it was right.
static bool is_token(const live_server *server, const char *text)
{
    unsigned char different = 0;
    for (int i = 0; i < LIVE_TOKEN; ++i) {
        if (!text[i]) {
            return false;
        }
        different |= (unsigned char)(text[i] ^ server->token[i]);
    }
    return different == 0;
}

// The value of a header, up to the end of its line; NULL where there is none.
static const char *header(const char *request, const char *name)
{
    const char *at = strcasestr(request, name);
    return at ? at + strlen(name) + strspn(at + strlen(name), " \t") : NULL;
}

static bool is_value(const char *value, const char *wanted)
{
    const size_t length = strlen(wanted);
    return value && strncasecmp(value, wanted, length) == 0 &&
           strspn(value + length, " \t") == strcspn(value + length, "\r\n");
}

// Whether a header names this server, with what stands before it; a header that is missing does if
// it `may_miss`.
static bool is_here(const live_server *server, const char *request, const char *name,
                    const char *before, bool may_miss)
{
    char        numbers[NAME_SIZE], words[NAME_SIZE];
    const char *value = header(request, name);
    snprintf(numbers, sizeof numbers, "%s127.0.0.1:%d", before, server->port);
    snprintf(words, sizeof words, "%slocalhost:%d", before, server->port);
    return value ? is_value(value, numbers) || is_value(value, words) : may_miss;
}

// @return whether it was one of those that are answered
static bool answer(live_server *server, int connection, const char *request)
{
    const char *path = request + strlen("GET /");
    if (strncmp(request, "GET /", strlen("GET /")) != 0) {
        send_text(connection, "405 Method Not Allowed", "text/plain", "only GET is answered\n");
    } else if (!is_here(server, request, "\nHost:", "", false) ||
               !is_here(server, request, "\nOrigin:", "http://", true)) {
        send_text(connection, "403 Forbidden", "text/plain", "only this page may ask\n");
    } else if (is_token(server, path) && strncmp(path + LIVE_TOKEN, "/ ", 2) == 0) {
        send_page(server, connection);
        return true;
    } else if (is_token(server, path) && strncmp(path + LIVE_TOKEN, "/state ", 7) == 0) {
        send_state(server, connection);
        return true;
    } else {
        send_text(connection, "404 Not Found", "text/plain", "there is nothing here\n");
    }
    return false;
}

// @return whether the head of a request came whole and in time
static bool read_request(int connection, char request[REQUEST_SIZE])
{
    size_t size = 0;
    while (size < REQUEST_SIZE - 1) {
        struct pollfd one = {.fd = connection, .events = POLLIN};
        const ssize_t more = poll(&one, 1, READ_TIME) == 1
                                 ? recv(connection, request + size, REQUEST_SIZE - 1 - size, 0)
                                 : 0;
        if (more <= 0) {
            return false;
        }
        size += (size_t)more;
        request[size] = '\0';
        if (strstr(request, "\r\n\r\n")) {
            return true;
        }
    }
    return false;
}

bool live_server_answer(live_server *server, int patience)
{
    char          request[REQUEST_SIZE];
    struct pollfd one = {.fd = server->listener, .events = POLLIN};
    if (poll(&one, 1, patience) != 1) {
        return false;
    }
    const int connection = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) {
        return false;
    }
    const struct timeval most = {.tv_sec = SEND_TIME};
    (void)setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    const bool is_answered =
        read_request(connection, request) && answer(server, connection, request);
    close(connection);
    return is_answered;
}
