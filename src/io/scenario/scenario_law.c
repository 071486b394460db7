// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_law.h"

#include "io/scenario/scenario_pick.h"

#include <math.h>

static void read_spring(atemi_scenario_reader *reader, atemi_spring_damper *spring)
{
    const atemi_spring_damper usual = atemi_spring_damper_default();
    spring->stiffness = atemi_scenario_number(reader, "stiffness",
                                              (atemi_number_key){.unit = "N/m",
                                                                 .fallback = usual.stiffness,
                                                                 .lower = 0.0,
                                                                 .upper = INFINITY,
                                                                 .open = true,
                                                                 .help = "of the surface, k"});
    spring->damping = atemi_scenario_number(reader, "damping",
                                            (atemi_number_key){.unit = "N s/m",
                                                               .fallback = usual.damping,
                                                               .lower = 0.0,
                                                               .upper = INFINITY,
                                                               .help = "of the surface, c"});
}

// Its stiffness is in N/m^exponent, which is no unit of ours.
static void read_sphere(atemi_scenario_reader *reader, atemi_hunt_crossley *sphere)
{
    sphere->stiffness =
        atemi_scenario_number(reader, "hertz_stiffness",
                              (atemi_number_key){.fallback = 1e6,
                                                 .lower = 1.0,
                                                 .upper = 1e12,
                                                 .reason = "no contact of solid bodies is beyond",
                                                 .help = "of hunt_crossley, N/m^exponent"});
    sphere->dissipation =
        atemi_scenario_number(reader, "dissipation",
                              (atemi_number_key){.unit = "s/m",
                                                 .lower = 0.0,
                                                 .upper = INFINITY,
                                                 .help = "of hunt_crossley: a slow impact at v "
                                                         "has the restitution 1 - dissipation v"});
    sphere->exponent = atemi_scenario_number(
        reader, "exponent",
        (atemi_number_key){.fallback = 1.5,
                           .lower = 1.0,
                           .upper = 10.0,
                           .reason = "no pair of bodies is beyond",
                           .help = "of hunt_crossley: 1.5 for round bodies, 1 for flat ones"});
}

bool atemi_scenario_law_is_spring(const atemi_scenario_law *law)
{
    return law->kind == ATEMI_LAW_COMPRESSION_DAMPER || law->kind == ATEMI_LAW_KELVIN_VOIGT;
}

void atemi_scenario_read_law(atemi_scenario_reader *reader, atemi_scenario_law *law)
{
    static const char *const laws[] = {"compression_damper", "kelvin_voigt", "hunt_crossley", NULL};
    law->kind = (atemi_scenario_law_kind)atemi_scenario_choice(
        reader, "law",
        (atemi_choice_key){.words = laws, .help = "spring and damper, or that of round bodies"});
    if (atemi_scenario_law_is_spring(law)) {
        read_spring(reader, &law->spring);
    }
    if (atemi_scenario_wants(reader, (int)law->kind, ATEMI_LAW_HUNT_CROSSLEY)) {
        read_sphere(reader, &law->sphere);
    }
    law->law = law->kind == ATEMI_LAW_COMPRESSION_DAMPER
                   ? atemi_compliance_compression_damper(&law->spring)
               : law->kind == ATEMI_LAW_KELVIN_VOIGT ? atemi_compliance_kelvin_voigt(&law->spring)
                                                     : atemi_compliance_hunt_crossley(&law->sphere);
}
