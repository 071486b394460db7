// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"
#include "io/figures/figure_bars.h"

// The modes of contacts over time, a bar each.

// Further contacts are left out: a page has no room for them.
enum { MOST_BARS = 40, MODES = ATEMI_CONTACT_SOFT + 1 };

static const char *const colors[MODES] = {[ATEMI_CONTACT_OPEN] = "#eeeeee",
                                          [ATEMI_CONTACT_STICK] = "#0072b2",
                                          [ATEMI_CONTACT_SLIP] = "#e69f00",
                                          [ATEMI_CONTACT_SURFACE] = "#009e73",
                                          [ATEMI_CONTACT_SOFT] = "#cc79a7"};

atemi_status atemi_figure_contacts(const atemi_figure_source *source, atemi_figure *figure,
                                   atemi_error *error)
{
    (void)error;
    const int count = source->contacts->count < MOST_BARS ? source->contacts->count : MOST_BARS;
    atemi_figure_bar bars[MOST_BARS];
    const char      *names[MODES];
    for (int i = 0; i < count; ++i) {
        const atemi_report_contact *contact = &source->contacts->contacts[i];
        bars[i] = (atemi_figure_bar){contact->name, contact->name_length, contact->mode};
    }
    for (int i = 0; i < MODES; ++i) {
        names[i] = atemi_contact_mode_text((atemi_contact_mode)i);
    }
    if (count > 0) {
        atemi_figure_bars_draw(
            source, &(atemi_figure_bars){count, bars, MODES, colors, names, 80.0}, figure);
    }
    return ATEMI_OK;
}
