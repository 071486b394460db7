// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/robot/mjcf_reader.h"

// MuJoCo's qpos: which joint has which of its numbers, and joints by the names of the file.

atemi_status atemi_mjcf_count_coordinates(atemi_mjcf_reader *reader, atemi_mjcf_element *element,
                                          int count)
{
    atemi_mjcf_element **joints = (atemi_mjcf_element **)atemi_grown(
        (void *)reader->joints, sizeof *joints, reader->joint_count, &reader->joint_capacity);
    if (!joints) {
        return atemi_mjcf_no_memory(reader);
    }
    reader->joints = joints;
    joints[reader->joint_count++] = element;
    element->coordinate = reader->coordinate_count;
    reader->coordinate_count += count;
    return ATEMI_OK;
}

atemi_status atemi_mjcf_list_joints(atemi_mjcf_reader *reader)
{
    const int count = reader->joint_count;
    reader->joint_names =
        (atemi_name *)atemi_allocate(((size_t)count + 1) * sizeof *reader->joint_names);
    if (!reader->joint_names) {
        return atemi_mjcf_no_memory(reader);
    }
    for (int i = 0; i < count; ++i) {
        const char *name = atemi_mjcf_own(reader->joints[i], "name");
        reader->joint_names[i] = (atemi_name){name ? name : "", i};
    }
    atemi_names_sort(reader->joint_names, count);
    return ATEMI_OK;
}

int atemi_mjcf_coordinates_of(const atemi_mjcf_reader *reader, int index)
{
    const int next = index + 1 < reader->joint_count ? reader->joints[index + 1]->coordinate
                                                     : reader->coordinate_count;
    return next - reader->joints[index]->coordinate;
}

int atemi_mjcf_find_joint(const atemi_mjcf_reader *reader, const char *name,
                          const atemi_mjcf_element **element)
{
    const int index = atemi_names_find(reader->joint_names, reader->joint_count, name);
    if (index == ATEMI_NONE || !name[0] || atemi_mjcf_coordinates_of(reader, index) != 1) {
        return ATEMI_NONE;
    }
    *element = reader->joints[index];
    return (*element)->joint;
}
