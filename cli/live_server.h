// SPDX-License-Identifier: Apache-2.0

/// @file
/// The server of a page that follows a job. It has no thread of its own: the job asks it, many
/// times a second, to answer what has come.
///
/// It listens on 127.0.0.1 alone, at a port that the system chooses, and answers two requests:
///
///     GET /TOKEN/         the page
///     GET /TOKEN/state    {"rows": N, "done": 0 to 1, "ended": true|false}
///
/// The token is 128 random bits, new each time. Requests with another Host than this server, as
/// after a name was pointed here, or with another Origin, as of a script of another page, are
/// refused; no answer may be framed, kept, or read by another origin.

#pragma once

#include "atemi/recording.h"

#include <stdbool.h>

enum { LIVE_TOKEN = 32, LIVE_PATH = 128, LIVE_ADDRESS = 80 };

typedef struct live_server {
    int  listener, port;
    char token[LIVE_TOKEN + 1];
    char folder[LIVE_PATH]; ///< temporary, of the page

    const atemi_recording *recording; ///< NULL before there is one
    double                 done;
    bool                   ended;
    bool                   is_seen; ///< the page of the ended job was given out
    bool                   has_warned;
} live_server;

/// Begins to listen. End it if it returns true.
bool live_server_begin(live_server *server);
void live_server_end(live_server *server);

/// The address of the page.
void live_server_address(const live_server *server, char address[LIVE_ADDRESS]);

/// Answers one request, if one has come.
/// @param patience ms to wait for one
/// @return whether somebody asked who may
bool live_server_answer(live_server *server, int patience);
