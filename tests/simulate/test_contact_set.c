// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include "brick_rig.h"
#include "check.h"

// In the air the corners, at r from the centre, move with v + w x r.
TEST(contact_set, sees_gap_and_velocity_of_every_corner)
{
    trial        t;
    const double v[6] = {0.3, -0.2, -1.0, 0.0, 2.0, 0.5};
    brick_begin(&t, 0.5, 0.25, v);
    const atemi_simulation_contacts *set = &t.simulation->set;
    for (int i = 0; i < 4; ++i) {
        const atemi_vec3 r = box_corner(brick_size, i);
        CHECK_NEAR(set->states[i].view.gap, 0.25, 1e-15);
        CHECK_NEAR(set->states[i].velocity.x, v[0] + v[4] * r.z - v[5] * r.y, 1e-15);
        CHECK_NEAR(set->states[i].velocity.y, v[1] + v[5] * r.x, 1e-15);
        CHECK_NEAR(atemi_point_approach(set, i), -(v[2] - v[4] * r.x), 1e-15);
        CHECK(!atemi_point_is_held(set, i));
    }
    trial_end(&t);
}

// A ball touches below its centre: there it moves with v + w x (-r n).
TEST(contact_set, sees_a_ball_where_it_would_touch)
{
    trial                        t;
    const double                 radius = 0.2, w = 3.0, u = 0.4;
    const atemi_simulation_point ball = {.radius = radius};
    const trial_setting          setting = {.model = brick_model(),
                                            .surface = atemi_surface_floor(),
                                            .points = &ball,
                                            .count = 1,
                                            .step = brick_step};
    const double                 q[7] = {0, 0, 1.0, 0, 0, 0, 1}, v[6] = {u, 0, 0, 0, w, 0};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    const atemi_contact_state *seen = &t.simulation->set.states[0];
    CHECK_NEAR(seen->view.gap, 1.0 - radius, 1e-15);
    CHECK_NEAR(seen->position.z, 1.0 - radius, 1e-15);
    CHECK_NEAR(seen->velocity.x, u - w * radius, 1e-15);
    CHECK_NEAR(seen->carrier.x, u, 1e-15);
    trial_end(&t);
}

// Four corners that stick hold the brick as a whole; two do not, and four that slip do not either.
TEST(contact_set, patch_of_corners_holds_a_link_as_a_whole_if_three_stick)
{
    trial        t;
    const double v[6] = {0};
    brick_begin(&t, 0.5, 0.0, v);
    atemi_simulation_contacts *set = &t.simulation->set;
    CHECK_EQUAL_INT(set->patch_count, 1);
    CHECK(atemi_patch_of(set, 0).whole);
    CHECK_EQUAL_INT(atemi_patch_of(set, 0).sticking, 4);
    CHECK_NEAR(atemi_patch_center(set, 0, true).z, -brick_height, 1e-15);
    atemi_point_open(set, 0);
    CHECK(atemi_patch_of(set, 0).whole);
    atemi_point_open(set, 1);
    CHECK(!atemi_patch_of(set, 0).whole);
    CHECK_EQUAL_INT(atemi_patch_of(set, 0).held, 2);
    for (int i = 0; i < 4; ++i) {
        set->modes[i] = ATEMI_CONTACT_SLIP;
    }
    CHECK_EQUAL_INT(atemi_patch_of(set, 0).held, 4);
    CHECK(!atemi_patch_of(set, 0).whole);
    trial_end(&t);
}

// Balls, ties and soft points do not share a patch with others of their link.
TEST(contact_set, gives_balls_and_ties_patches_of_their_own)
{
    trial                        t;
    const atemi_simulation_point points[4] = {{.point = {0.1, 0, 0}},
                                              {.point = {0.2, 0, 0}, .radius = 0.01},
                                              {.point = {0.3, 0, 0}, .tied = true},
                                              {.point = {0.4, 0, 0}}};
    const trial_setting          setting = {.model = brick_model(),
                                            .surface = atemi_surface_floor(),
                                            .points = points,
                                            .count = 4,
                                            .step = brick_step};
    trial_begin(&t, &setting);
    const int *patches = t.simulation->set.patches;
    CHECK_EQUAL_INT(t.simulation->set.patch_count, 3);
    CHECK_EQUAL_INT(patches[3], patches[0]);
    CHECK(patches[1] != patches[0] && patches[2] != patches[0] && patches[1] != patches[2]);
    trial_end(&t);
}
