// SPDX-License-Identifier: Apache-2.0

#include "io/robot/srdf.h"
#include "require.h"

#include <string.h>

// Any bytes end in postures of the robot's joints and pairs of its links, or in an error that says
// something. Run it with
//
//   fuzz_srdf -max_len=4096 -dict=tests/fuzz/srdf.dict tests/fuzz/corpus/srdf

static bool has_link(const atemi_urdf_document *document, const char *name)
{
    bool found = false;
    for (int i = 0; i < document->link_count; ++i) {
        found = found || strcmp(document->links[i].name, name) == 0;
    }
    return found;
}

static void check(const atemi_urdf_document *document)
{
    for (int i = 0; i < document->posture_count; ++i) {
        const atemi_posture_description *posture = &document->postures[i];
        require(posture->posture[0] && strcmp(posture->joint, "j") == 0);
    }
    for (int i = 0; i < document->apart_count; ++i) {
        require(has_link(document, document->aparts[i].first));
        require(has_link(document, document->aparts[i].second));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    atemi_urdf_document     document = {.robot = "r"};
    atemi_error             error = {0};
    atemi_link_description  links[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = "j";
    joint.type = ATEMI_JOINT_REVOLUTE;
    for (int i = 0; i < 3; ++i) {
        require(!atemi_urdf_document_add_link(&document, &links[i]));
    }
    require(!atemi_urdf_document_add_joint(&document, &joint));
    const atemi_status status =
        atemi_srdf_parse((const char *)data, size, "r.srdf", true, &document, &error);
    require(status == error.status);
    if (status) {
        require(strlen(error.message) > 0);
    } else {
        check(&document);
    }
    atemi_urdf_document_destroy(&document);
    return 0;
}
