// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_writer.h"

#include "atemi/base.h"
#include "io/robot/mjcf_writing.h"
#include "io/robot/xml_text.h"

static void report(const mjcf_writing *w)
{
    const char *name = atemi_model_name(w->model);
    if (w->speed_limits > 0) {
        atemi_log(ATEMI_LOG_WARNING,
                  "robot '%s': MJCF has no place for the speed limits of %d joints", name,
                  w->speed_limits);
    }
    if (w->unwritten_shapes > 0) {
        atemi_log(ATEMI_LOG_WARNING,
                  "robot '%s': %d meshes that are not found, or are no .stl or .obj, and shapes "
                  "without extent are left out of the MJCF",
                  name, w->unwritten_shapes);
    }
    if (w->lumped > 0) {
        atemi_log(ATEMI_LOG_WARNING,
                  "robot '%s': the mass of %d links counts with what they are fixed to, as MuJoCo "
                  "takes no inertia that a mass cannot have",
                  name, w->lumped);
    }
    if (w->impossible > 0) {
        atemi_log(
            ATEMI_LOG_WARNING,
            "robot '%s': %d bodies have an inertia that no mass has; MuJoCo refuses the MJCF, "
            "or with <compiler balanceinertia=\"true\"/> changes it",
            name, w->impossible);
    }
    if (w->open_hinges > 0) {
        atemi_log(ATEMI_LOG_WARNING,
                  "robot '%s': %d closed loops about a hinge are joined at its point alone", name,
                  w->open_hinges);
    }
}

void atemi_mjcf_write(const atemi_model *model, atemi_text *text)
{
    mjcf_writing w = {.model = model, .text = text};
    atemi_text_put_string(text, "<mujoco");
    atemi_xml_put_string(text, "model", atemi_model_name(model));
    atemi_text_put_string(text,
                          ">\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<option");
    atemi_xml_put_vector(text, "gravity", atemi_model_gravity(model));
    atemi_text_put_string(text, "/>\n");
    mjcf_put_meshes(&w);
    mjcf_put_bodies(&w);
    mjcf_put_excluded(&w);
    mjcf_put_equalities(&w);
    mjcf_put_actuators(&w);
    mjcf_put_keys(&w);
    atemi_text_put_string(text, "</mujoco>\n");
    report(&w);
}
