// SPDX-License-Identifier: Apache-2.0

/// @file
/// XML as a stream of elements with their places. The bytes are not trusted: what they may cost is
/// bounded, entities and other declarations of a document type are refused, nothing is fetched.

#pragma once

#include "atemi/base.h"
#include "atemi/model_builder.h"

#include <stddef.h>

/// What is refused beyond.
enum {
    ATEMI_XML_MAX_MEBIBYTES = 64,    ///< of a file
    ATEMI_XML_MAX_TAG = 1 << 20,     ///< bytes of a tag or comment
    ATEMI_XML_MAX_DEPTH = 256,       ///< elements inside each other
    ATEMI_XML_MAX_ELEMENTS = 3000000 ///< of a file
};

/// An opening tag. All of it lives only as long as the call that hands it over.
typedef struct atemi_xml_element {
    const char  *name;       ///< with its prefix, if it has one
    const char **attributes; ///< name, value, name, value, ..., NULL
    atemi_place  place;
} atemi_xml_element;

/// Who receives the elements. A status other than ATEMI_OK ends the reading and becomes its result.
typedef struct atemi_xml_handler {
    atemi_status (*start)(void *context, const atemi_xml_element *element);
    atemi_status (*end)(void *context);
    void (*text)(void *context, const char *text, int length); ///< or NULL
    void *context;
} atemi_xml_handler;

/// Reads all of `text`. `file` is what errors name; it may be NULL.
atemi_status atemi_xml_read(const char *text, size_t size, const char *file,
                            const atemi_xml_handler *handler, atemi_error *error);

/// The value of an attribute, or NULL.
const char *atemi_xml_attribute(const atemi_xml_element *element, const char *name);
