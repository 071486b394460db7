// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"

#include "atemi/base.h"
#include "io/bytes/file.h"
#include "io/robot/mesh_search.h"
#include "io/robot/mjcf_reader.h"
#include "io/robot/srdf.h"
#include "io/robot/urdf_file.h"
#include "io/robot/urdf_reader.h"

// A robot, of URDF or of MJCF, comes in three steps: the bytes become a document, its parts find
// each other and their meshes, the builder makes them a model. Structure is the builder's to judge,
// text is ours.

// What to make of a file, and under which name and in which folder it stands.
typedef struct urdf_source {
    const char               *name; ///< for messages, or NULL
    const char               *path; ///< for meshes, or NULL
    const atemi_urdf_options *options;
} urdf_source;

static atemi_status add_links(const atemi_urdf_document *document, atemi_model_builder *builder,
                              atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < document->link_count && !status; ++i) {
        status = atemi_model_builder_add_link(builder, &document->links[i], error);
    }
    return status;
}

static atemi_status add_joints(const atemi_urdf_document *document, atemi_model_builder *builder,
                               atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < document->joint_count && !status; ++i) {
        status = atemi_model_builder_add_joint(builder, &document->joints[i], error);
    }
    return status;
}

static atemi_status add_sites(const atemi_site_description *sites, int count,
                              atemi_model_builder *builder, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < count && !status; ++i) {
        status = atemi_model_builder_add_site(builder, &sites[i], error);
    }
    return status;
}

static atemi_status add_postures(const atemi_urdf_document *document, atemi_model_builder *builder,
                                 atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < document->posture_count && !status; ++i) {
        status = atemi_model_builder_add_posture(builder, &document->postures[i], error);
    }
    return status;
}

static atemi_status add_geometry(const atemi_urdf_shape *shape, atemi_mesh_search *search,
                                 atemi_model_builder *builder, atemi_error *error)
{
    atemi_geometry_description geometry = shape->geometry;
    char                       path[ATEMI_PATH_SIZE];
    if (geometry.uri && atemi_mesh_search_find(search, geometry.uri, path)) {
        geometry.path = path;
    }
    return atemi_model_builder_add_geometry(builder, &geometry, error);
}

static bool has_mesh(const atemi_urdf_document *document)
{
    bool found = false;
    for (int i = 0; i < document->shape_count && !found; ++i) {
        found = document->shapes[i].geometry.uri != NULL;
    }
    return found;
}

static atemi_status add_geometries(const atemi_urdf_document *document, const urdf_source *source,
                                   atemi_model_builder *builder, atemi_error *error)
{
    atemi_mesh_search search;
    atemi_status      status = ATEMI_OK;
    if (has_mesh(document)) {
        status =
            atemi_mesh_search_begin(&search, source->path, source->options->package_path, error);
    }
    for (int i = 0; i < document->shape_count && !status; ++i) {
        status = add_geometry(&document->shapes[i], &search, builder, error);
    }
    return status;
}

static atemi_status describe(const atemi_urdf_document *document, const urdf_source *source,
                             atemi_model_builder *builder, atemi_error *error)
{
    atemi_status status = add_links(document, builder, error);
    if (!status) {
        status = add_joints(document, builder, error);
    }
    if (!status) {
        status = add_sites(document->sites, document->site_count, builder, error);
    }
    if (!status) {
        status = add_sites(source->options->sites, source->options->site_count, builder, error);
    }
    if (!status) {
        status = add_geometries(document, source, builder, error);
    }
    if (!status) {
        status = add_postures(document, builder, error);
    }
    for (int i = 0; i < document->loop_count && !status; ++i) {
        status = atemi_model_builder_add_loop(builder, &document->loops[i], error);
    }
    for (int i = 0; i < document->apart_count && !status; ++i) {
        status = atemi_model_builder_add_apart(builder, &document->aparts[i], error);
    }
    return status;
}

// Gravity is the file's if the file states one and no other than the default is asked for.
static atemi_model_options model_options(const atemi_urdf_document *document,
                                         const atemi_urdf_options  *options)
{
    atemi_model_options asked = options->model;
    const atemi_vec3    standard = atemi_model_options_default().gravity;
    const bool          open = asked.gravity.x == standard.x && asked.gravity.y == standard.y &&
                      asked.gravity.z == standard.z;
    if (document->has_gravity && open) {
        asked.gravity = document->gravity;
    }
    return asked;
}

static atemi_status build(const atemi_urdf_document *document, const urdf_source *source,
                          atemi_model **model, atemi_error *error)
{
    atemi_model_builder *builder;
    atemi_status         status =
        atemi_model_builder_create(document->robot, source->name, &builder, error);
    if (!status) {
        status = describe(document, source, builder, error);
    }
    if (!status) {
        const atemi_model_options options = model_options(document, source->options);
        status = atemi_model_builder_finish(builder, &options, model, error);
    }
    atemi_model_builder_destroy(builder);
    return status;
}

// What is wrong with the robot as a whole is shown at its <robot>.
static void locate_in_robot(const atemi_urdf_document *document, const urdf_source *source,
                            atemi_error *error)
{
    if (error && error->status == ATEMI_ERROR_INPUT && error->line == 0) {
        const atemi_place place = document->place;
        atemi_error_locate(error, source->name, place.line, place.column);
    }
}

static atemi_status read_mjcf(const char *text, size_t size, const urdf_source *source,
                              atemi_urdf_document *document, atemi_error *error)
{
    atemi_mesh_search  search;
    const atemi_status status =
        atemi_mesh_search_begin(&search, source->path, source->options->package_path, error);
    return status ? status
                  : atemi_mjcf_read(text, size, source->name, &search,
                                    source->options->model.mimic_as_coupled, document, error);
}

static atemi_status read_document(const char *text, size_t size, const urdf_source *source,
                                  atemi_urdf_document *document, atemi_error *error)
{
    bool               is_mjcf;
    const atemi_status status = atemi_mjcf_recognize(text, size, &is_mjcf, error);
    *document = (atemi_urdf_document){0};
    return status    ? status
           : is_mjcf ? read_mjcf(text, size, source, document, error)
                     : atemi_urdf_read(text, size, source->name, document, error);
}

static atemi_status parse(const char *text, size_t size, const urdf_source *source,
                          atemi_model **model, atemi_error *error)
{
    atemi_urdf_document document;
    atemi_status        status = read_document(text, size, source, &document, error);
    if (!status) {
        status = atemi_urdf_document_resolve(&document, error);
    }
    if (!status && source->options->srdf) {
        status = atemi_srdf_load(source->options->srdf, source->options->model.mimic_as_coupled,
                                 &document, error);
    }
    if (!status) {
        atemi_urdf_document_report(&document, source->name);
        status = build(&document, source, model, error);
    }
    if (status) {
        locate_in_robot(&document, source, error);
    }
    atemi_urdf_document_destroy(&document);
    return status;
}

atemi_urdf_options atemi_urdf_options_default(void)
{
    atemi_urdf_options options = {.model = atemi_model_options_default()};
    options.model.massless_as_fixed = true;
    return options;
}

atemi_status atemi_urdf_parse(const char *text, size_t size, const char *name,
                              const atemi_urdf_options *options, atemi_model **model,
                              atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && (text || size == 0), ATEMI_ERROR_CONTRACT);
    return atemi_urdf_parse_of_file(text, size, name, NULL, options, model, error);
}

atemi_status atemi_urdf_parse_of_file(const char *text, size_t size, const char *name,
                                      const char *path, const atemi_urdf_options *options,
                                      atemi_model **model, atemi_error *error)
{
    const atemi_urdf_options standard = atemi_urdf_options_default();
    const urdf_source        source = {name, path, options ? options : &standard};
    *model = NULL;
    return parse(text, size, &source, model, error);
}

atemi_status atemi_urdf_load(const char *path, const atemi_urdf_options *options,
                             atemi_model **model, atemi_error *error)
{
    ATEMI_REQUIRE_OR(path && model, ATEMI_ERROR_CONTRACT);
    *model = NULL;

    char        *text;
    size_t       size;
    atemi_status status =
        atemi_file_read_given(path, (size_t)ATEMI_XML_MAX_MEBIBYTES << 20, &text, &size, error);
    if (!status) {
        status = atemi_urdf_parse_of_file(text, size, path, path, options, model, error);
    }
    atemi_release(text);
    return status;
}
