# SPDX-License-Identifier: Apache-2.0
"""Writes the C source of the extension module: python atemi_build.py OUTPUT.c.

The declarations below repeat those of include/atemi/*.h which the package uses. They cannot drift:
the generated source includes the headers, so a wrong type or name does not compile, and the layout
of structs, values of enumerators and sizes ("...") come from the compiler.
"""

import sys

import cffi

DECLARATIONS = """
    /* version.h */
    const char *atemi_version(void);

    /* base.h: errors */
    typedef enum {
        ATEMI_OK, ATEMI_ERROR_CONTRACT, ATEMI_ERROR_MEMORY, ATEMI_ERROR_FILE, ATEMI_ERROR_SYNTAX,
        ATEMI_ERROR_INPUT, ATEMI_ERROR_LIMIT, ATEMI_ERROR_NOT_FOUND, ATEMI_ERROR_SINGULAR, ...
    } atemi_status;
    typedef struct {
        atemi_status status;
        int line, column;
        char file[...];
        char message[...];
        ...;
    } atemi_error;
    const char *atemi_status_text(atemi_status status);
    void atemi_release(void *block);

    /* base.h: the log hook */
    typedef enum { ATEMI_LOG_ERROR, ATEMI_LOG_WARNING, ATEMI_LOG_INFO, ... } atemi_log_level;
    typedef void (*atemi_log_hook)(void *context, atemi_log_level level, const char *message);
    void atemi_set_log_hook(atemi_log_hook hook, void *context);
    extern "Python" void atemi_python_log(void *, atemi_log_level, const char *);

    /* math.h: complete, since they are read as arrays of double */
    typedef struct { double x, y, z; } atemi_vec3;
    typedef struct { atemi_vec3 x, y, z; } atemi_mat3;
    typedef struct { atemi_mat3 rotation; atemi_vec3 position; } atemi_transform;
    typedef struct { atemi_vec3 linear, angular; } atemi_motion;
    typedef struct { atemi_vec3 linear, angular; } atemi_force;

    /* model.h */
    typedef enum {
        ATEMI_BASE_FIXED, ATEMI_BASE_PLANAR, ATEMI_BASE_SAGITTAL, ATEMI_BASE_FLOATING, ...
    } atemi_base;
    typedef enum {
        ATEMI_JOINT_FIXED, ATEMI_JOINT_REVOLUTE, ATEMI_JOINT_CONTINUOUS, ATEMI_JOINT_PRISMATIC,
        ATEMI_JOINT_PLANAR, ATEMI_JOINT_FLOATING, ...
    } atemi_joint_type;
    #define ATEMI_NONE ...
    typedef struct { double lower, upper, velocity, effort; ...; } atemi_limits;
    typedef struct { int joint; double multiplier, offset; ...; } atemi_mimic;
    typedef struct {
        const char *name;
        atemi_joint_type type;
        int parent_link, child_link;
        atemi_limits limits;
        atemi_mimic mimic;
        double armature, damping, friction, servo_stiffness, servo_damping;
        int first_q, first_v, q_count, v_count;
        ...;
    } atemi_joint;
    typedef struct { const char *name; int parent_joint; ...; } atemi_link;
    typedef struct {
        const char *name;
        int link;
        atemi_transform pose;
        double size_x, size_y;
        ...;
    } atemi_site;
    typedef enum {
        ATEMI_SHAPE_BOX, ATEMI_SHAPE_CYLINDER, ATEMI_SHAPE_SPHERE, ATEMI_SHAPE_CAPSULE,
        ATEMI_SHAPE_MESH, ...
    } atemi_shape;
    typedef struct {
        int link;
        bool collision;
        atemi_shape shape;
        atemi_transform pose;
        atemi_vec3 size;
        double color[4];
        const char *uri;
        const char *path;
        ...;
    } atemi_geometry;
    typedef enum { ATEMI_LOOP_POINT, ATEMI_LOOP_HINGE, ATEMI_LOOP_WELD, ... } atemi_loop_kind;
    typedef struct {
        const char *name;
        atemi_loop_kind kind;
        int first, second;
        atemi_transform on_first, on_second;
        ...;
    } atemi_loop;
    typedef struct atemi_model atemi_model;
    void atemi_model_destroy(atemi_model *model);
    typedef struct { int first, second; } atemi_link_pair;
    int atemi_model_apart_count(const atemi_model *model);
    const atemi_link_pair *atemi_model_apart(const atemi_model *model);
    const char *atemi_model_name(const atemi_model *model);
    atemi_vec3 atemi_model_gravity(const atemi_model *model);
    double atemi_model_mass(const atemi_model *model);
    int atemi_model_q_count(const atemi_model *model);
    int atemi_model_v_count(const atemi_model *model);
    int atemi_model_link_count(const atemi_model *model);
    int atemi_model_joint_count(const atemi_model *model);
    int atemi_model_site_count(const atemi_model *model);
    int atemi_model_geometry_count(const atemi_model *model);
    int atemi_model_posture_count(const atemi_model *model);
    const atemi_link *atemi_model_link(const atemi_model *model, int index);
    const atemi_joint *atemi_model_joint(const atemi_model *model, int index);
    const atemi_site *atemi_model_site(const atemi_model *model, int index);
    const atemi_geometry *atemi_model_geometry(const atemi_model *model, int index);
    const char *atemi_model_posture_name(const atemi_model *model, int index);
    const double *atemi_model_posture(const atemi_model *model, int index);
    const char *atemi_shape_text(atemi_shape shape);

    /* model_builder.h: scenes */
    typedef struct {
        atemi_transform pose;
        atemi_joint_type type;
        const atemi_model *robot;
        ...;
    } atemi_scene_body;
    atemi_scene_body atemi_scene_body_solid(const char *name, double mass, atemi_shape shape,
                                            atemi_vec3 size);
    atemi_status atemi_scene_create(const atemi_model *robot, const atemi_scene_body *bodies,
                                    int body_count, atemi_model **scene, atemi_error *error);

    /* model_builder.h, robots.h */
    typedef struct {
        atemi_base base;
        atemi_vec3 gravity;
        bool mimic_as_coupled;
        ...;
    } atemi_model_options;
    typedef struct {
        atemi_model_options model;
        const char *package_path;
        const char *srdf;
        ...;
    } atemi_urdf_options;
    typedef enum { ATEMI_ROBOT_URDF, ATEMI_ROBOT_MJCF, ... } atemi_robot_format;
    atemi_status atemi_robot_write(const atemi_model *model, atemi_robot_format format, char **text,
                                   size_t *size, atemi_error *error);
    atemi_urdf_options atemi_urdf_options_default(void);
    atemi_status atemi_urdf_load(const char *path, const atemi_urdf_options *options,
                                 atemi_model **model, atemi_error *error);
    atemi_status atemi_urdf_parse(const char *text, size_t size, const char *name,
                                  const atemi_urdf_options *options, atemi_model **model,
                                  atemi_error *error);
    int atemi_robots_count(void);
    const char *atemi_robots_name(int index);
    atemi_status atemi_robots_load(const char *name, const atemi_urdf_options *options,
                                   atemi_model **model, atemi_error *error);

    /* model.h: configurations */
    void atemi_configuration_neutral(const atemi_model *model, double *q);
    void atemi_configuration_random(const atemi_model *model, uint64_t seed, double *q);

    /* base.h: the arena */
    typedef struct { size_t used; ...; } atemi_arena;
    atemi_arena atemi_arena_measuring(void);
    atemi_status atemi_arena_create(atemi_arena *arena, size_t size, atemi_error *error);
    void atemi_arena_destroy(atemi_arena *arena);

    /* data.h */
    typedef struct atemi_data atemi_data;
    typedef struct { int max_contacts; ...; } atemi_data_options;
    atemi_status atemi_data_create(const atemi_model *model, const atemi_data_options *options,
                                   atemi_data **data, atemi_error *error);
    void atemi_data_destroy(atemi_data *data);

    /* kinematics.h, dynamics.h: what names a joint that moves no mass */
    void atemi_update_kinematics(atemi_data *data, const double *q, const double *v,
                                 const double *a);
    atemi_status atemi_update_factor(atemi_data *data, atemi_error *error);

    /* contact.h */
    typedef enum {
        ATEMI_CONTACT_OPEN, ATEMI_CONTACT_STICK, ATEMI_CONTACT_SLIP, ATEMI_CONTACT_SURFACE,
        ATEMI_CONTACT_SOFT, ...
    } atemi_contact_mode;
    const char *atemi_contact_mode_text(atemi_contact_mode mode);
    typedef struct {
        int link;
        atemi_vec3 point, normal;
        atemi_contact_mode mode;
        double friction;
        atemi_vec3 direction;
        double normal_acceleration;
        ...;
    } atemi_contact;

    /* inverse_kinematics.h */
    typedef enum { ATEMI_GOAL_FRAME, ATEMI_GOAL_CENTER_OF_MASS, ... } atemi_goal_kind;
    typedef struct {
        atemi_goal_kind kind;
        int link;
        atemi_transform frame, target;
        double weight[6];
        ...;
    } atemi_posture_goal;
    atemi_posture_goal atemi_posture_goal_default(void);
    typedef struct {
        const bool *moving;
        bool unlimited;
        int iterations, retries;
        double tolerance;
        ...;
    } atemi_inverse_kinematics_options;
    atemi_inverse_kinematics_options atemi_inverse_kinematics_options_default(void);
    typedef enum { ATEMI_POSTURE_REACHED, ... } atemi_posture_outcome;
    typedef struct {
        atemi_posture_outcome outcome;
        int iterations;
        double position, rotation;
        ...;
    } atemi_posture_report;
    const char *atemi_posture_outcome_text(atemi_posture_outcome outcome);
    typedef ... atemi_inverse_kinematics_scratch;
    const atemi_motion *atemi_inverse_kinematics_errors(
        const atemi_inverse_kinematics_scratch *scratch);
    atemi_inverse_kinematics_scratch *atemi_inverse_kinematics_scratch_take(
        atemi_arena *arena, const atemi_model *model, int max_goals);
    atemi_status atemi_inverse_kinematics(const atemi_model *model,
                                          const atemi_posture_goal *goals, int count,
                                          const atemi_inverse_kinematics_options *options,
                                          atemi_inverse_kinematics_scratch *scratch, double *q,
                                          atemi_posture_report *report, atemi_error *error);

    /* blow.h */
    typedef struct { int link; atemi_vec3 point, direction; ...; } atemi_striking_point;
    typedef enum { ATEMI_GROUNDING_FIXED, ATEMI_GROUNDING_HEAVY, ... } atemi_grounding;
    typedef struct { const int *links; int count; atemi_grounding grounding; ...; } atemi_ground;
    atemi_ground atemi_ground_default(void);
    typedef enum { ATEMI_BLOW_EXACT, ATEMI_BLOW_RK4, ATEMI_BLOW_VIRTUAL_MASS, ... } atemi_blow_method;
    typedef struct { const double *stiffness, *damping, *limits; ...; } atemi_blow_servo;
    typedef enum {
        ATEMI_BLOW_COMPRESSION_DAMPER, ATEMI_BLOW_KELVIN_VOIGT, ...
    } atemi_blow_law;
    typedef struct { double stiffness, damping; ...; } atemi_spring_damper;
    typedef struct { atemi_blow_law law; atemi_spring_damper spring; ...; } atemi_blow_surface;
    typedef struct { double mass, friction; ...; } atemi_blow_target;
    typedef struct {
        atemi_blow_servo servo;
        atemi_blow_surface surface;
        atemi_blow_target target;
        ...;
    } atemi_blow_setting;
    atemi_blow_setting atemi_blow_setting_default(void);
    typedef struct { atemi_blow_method method; double duration; ...; } atemi_blow_options;
    atemi_blow_options atemi_blow_options_default(void);
    typedef struct {
        atemi_striking_point point;
        atemi_ground ground;
        atemi_blow_setting setting;
        atemi_blow_options options;
        int samples;
        atemi_error *error;
        ...;
    } atemi_blow_parameters;

    /* kernels.h */
    typedef struct {
        atemi_vec3 point;
        const atemi_contact *contacts;
        int contact_count;
        const double *restitutions;
        double restitution;
        bool published;
        const atemi_blow_parameters *blow;
        ...;
    } atemi_kernel_parameters;

    /* contact.h, surface.h: where a simulated robot may touch */
    typedef struct { int link; atemi_vec3 point; ...; } atemi_contact_point;
    int atemi_site_points(const atemi_model *model, const int *sites, int count,
                          atemi_contact_point *points);
    typedef enum {
        ATEMI_SURFACE_PLANE, ATEMI_SURFACE_SPHERE, ATEMI_SURFACE_CYLINDER, ATEMI_SURFACE_HEIGHTS, ...
    } atemi_surface_kind;
    typedef struct {
        int columns, rows;
        double spacing_x, spacing_y;
        const double *heights;
        ...;
    } atemi_height_table;
    typedef struct {
        atemi_surface_kind kind;
        atemi_vec3 position, axis;
        double radius;
        atemi_height_table table;
        ...;
    } atemi_surface;

    /* simulation.h */
    typedef struct {
        int link, surface;
        atemi_vec3 point;
        double radius, static_friction, kinetic_friction, restitution;
        ...;
    } atemi_simulation_point;
    typedef struct { int link; ...; } atemi_touch_shape;
    typedef struct {
        atemi_touch_shape *list;
        int count, lost_count;
        const atemi_geometry *lost;
        ...;
    } atemi_robot_shapes;
    atemi_status atemi_robot_shapes_load(const atemi_model *model, double friction,
                                         double restitution, atemi_robot_shapes *result,
                                         atemi_error *error);
    void atemi_robot_shapes_destroy(atemi_robot_shapes *shapes);
    typedef struct {
        const atemi_touch_shape *shapes;
        int count;
        bool each_other;
        const atemi_link_pair *excluded;
        int excluded_count, max_touches;
        ...;
    } atemi_simulation_shapes;
    typedef struct {
        int first, second, surface;
        atemi_contact_mode mode;
        double gap;
        atemi_vec3 position, normal, force;
        ...;
    } atemi_touch_report;
    typedef enum { ATEMI_EVENT_TOUCHDOWN, ATEMI_EVENT_STOP, ... } atemi_event_kind;
    const char *atemi_event_kind_text(atemi_event_kind kind);
    typedef struct {
        atemi_event_kind kind;
        double time;
        int point, joint;
        const atemi_touch_report *touch;
        double speed;
        atemi_vec3 impulse;
        double energy, stop_impulse;
        ...;
    } atemi_event;
    typedef struct {
        void (*torque)(void *context, double time, const double *q, const double *v, double *tau);
        void (*damping)(void *context, double *damping);
        void (*stiffness)(void *context, double *stiffness);
        void (*external_forces)(void *context, double time, atemi_force *forces);
        void (*event)(void *context, const atemi_event *event);
        bool (*goes_on)(void *context);
        void *context;
        ...;
    } atemi_simulation_hooks;
    extern "Python" void atemi_python_torque(void *, double, const double *, const double *,
                                             double *);
    extern "Python" void atemi_python_event(void *, const atemi_event *);
    extern "Python" bool atemi_python_goes_on(void *);
    typedef struct {
        double *tau, *stiffness, *damping, *target, *target_velocity;
        atemi_force *external;
        atemi_simulation_hooks also;
        ...;
    } atemi_held_inputs;
    atemi_held_inputs atemi_held_inputs_take(atemi_arena *arena, const atemi_model *model);
    atemi_simulation_hooks atemi_held_inputs_hooks(atemi_held_inputs *held);
    typedef enum { ATEMI_METHOD_EVENTS, ATEMI_METHOD_STEPS, ... } atemi_simulation_method;
    typedef enum {
        ATEMI_INTEGRATOR_RK4, ATEMI_INTEGRATOR_ADAPTIVE, ...
    } atemi_integrator;
    typedef struct {
        atemi_simulation_method method;
        atemi_integrator integrator;
        double step, tolerance;
        bool joint_friction, joint_stops;
        double stop_restitution, slowest_bounce;
        bool effort_limits;
        const atemi_simulation_shapes *shapes;
        const atemi_loop *loops;
        int loop_count;
        ...;
    } atemi_simulation_options;
    atemi_simulation_options atemi_simulation_options_default(void);
    typedef struct atemi_simulation atemi_simulation;
    atemi_status atemi_simulation_create(const atemi_model *model, const atemi_surface *surfaces,
                                         int surface_count, const atemi_simulation_point *points,
                                         int point_count, const atemi_simulation_options *options,
                                         const atemi_simulation_hooks *hooks,
                                         atemi_simulation **simulation, atemi_error *error);
    void atemi_simulation_destroy(atemi_simulation *simulation);
    atemi_status atemi_simulation_start(atemi_simulation *simulation, double time, const double *q,
                                        const double *v, atemi_error *error);
    atemi_status atemi_simulation_run(atemi_simulation *simulation, double time,
                                      atemi_error *error);
    atemi_status atemi_simulation_step(atemi_simulation *simulation, const double *tau,
                                       atemi_error *error);
    size_t atemi_simulation_saved_size(const atemi_simulation *simulation);
    void atemi_simulation_save(const atemi_simulation *simulation, void *saved);
    void atemi_simulation_restore(atemi_simulation *simulation, const void *saved);
    double atemi_simulation_time(const atemi_simulation *simulation);
    const double *atemi_simulation_q(const atemi_simulation *simulation);
    const double *atemi_simulation_v(const atemi_simulation *simulation);
    const double *atemi_simulation_a(const atemi_simulation *simulation);
    const double *atemi_simulation_tau(const atemi_simulation *simulation);
    const double *atemi_simulation_stop_torques(const atemi_simulation *simulation);
    const double *atemi_simulation_friction_torques(const atemi_simulation *simulation);
    typedef struct {
        atemi_contact_mode mode;
        double gap;
        atemi_vec3 position, normal, force;
        ...;
    } atemi_point_state;
    void atemi_simulation_points_get(const atemi_simulation *simulation,
                                     atemi_point_state *states);
    typedef struct {
        const atemi_loop *loop;
        atemi_force force;
        double opening;
        ...;
    } atemi_loop_report;
    int atemi_simulation_loop_count(const atemi_simulation *simulation);
    atemi_loop_report atemi_simulation_loop(const atemi_simulation *simulation, int index);
    typedef struct { atemi_vec3 specific_force, angular_velocity; } atemi_imu_reading;
    atemi_imu_reading atemi_simulation_imu(atemi_simulation *simulation, int link,
                                           const atemi_transform *place);
    void atemi_simulation_wrenches(atemi_simulation *simulation, atemi_force *wrenches);
    void atemi_simulation_contact_forces(atemi_simulation *simulation, atemi_force *forces);
    int atemi_simulation_touch_count(const atemi_simulation *simulation);
    atemi_touch_report atemi_simulation_touch(const atemi_simulation *simulation, int index);
    typedef struct {
        atemi_vec3 impulse, external_impulse;
        double torque_work, friction_work, contact_work, external_work, collision_work;
        ...;
    } atemi_simulation_ledger;
    atemi_simulation_ledger atemi_simulation_ledger_get(const atemi_simulation *simulation);
    typedef struct {
        long steps, evaluations, events, collisions;
        double collision_energy, collision_balance, deepest, overrun, violation;
        ...;
    } atemi_simulation_statistics;
    atemi_simulation_statistics atemi_simulation_statistics_get(const atemi_simulation *simulation);
    atemi_status atemi_place_on_surface(atemi_data *data, const atemi_surface *surfaces,
                                        const atemi_simulation_point *points, int count,
                                        int surface, double *q, atemi_error *error);
    atemi_status atemi_place_shapes_on_surface(atemi_data *data, const atemi_surface *surface,
                                               const atemi_touch_shape *shapes, int count,
                                               double *q, atemi_error *error);

    /* simulation_batch.h */
    typedef struct atemi_simulation_batch atemi_simulation_batch;
    typedef struct {
        const double *time, *q, *v, *a;
        const int *status;
        double *stiffness, *damping, *target, *target_velocity;
        atemi_force *external;
        ...;
    } atemi_simulation_rows;
    atemi_status atemi_simulation_batch_create(
        const atemi_model *model, const atemi_surface *surfaces, int surface_count,
        const atemi_simulation_point *points, int point_count,
        const atemi_simulation_options *options, int worlds, atemi_simulation_batch **batch,
        atemi_error *error);
    void atemi_simulation_batch_destroy(atemi_simulation_batch *batch);
    atemi_simulation_rows atemi_simulation_batch_rows(const atemi_simulation_batch *batch);
    atemi_status atemi_simulation_batch_start(atemi_simulation_batch *batch, const bool *which,
                                              const double *q, const double *v, int threads,
                                              atemi_error *error);
    atemi_status atemi_simulation_batch_step(atemi_simulation_batch *batch, const bool *which,
                                             const double *tau, int count, int threads,
                                             atemi_error *error);
    void atemi_simulation_batch_points_get(const atemi_simulation_batch *batch, int threads,
                                           atemi_point_state *states);
    void atemi_simulation_batch_imu(atemi_simulation_batch *batch, int link,
                                    const atemi_transform *place, int threads,
                                    atemi_imu_reading *readings);
    void atemi_simulation_batch_wrenches(atemi_simulation_batch *batch, int threads,
                                         atemi_force *wrenches);
    void atemi_simulation_batch_contact_forces(atemi_simulation_batch *batch, int threads,
                                               atemi_force *forces);
    size_t atemi_simulation_batch_saved_size(const atemi_simulation_batch *batch);
    void atemi_simulation_batch_save(const atemi_simulation_batch *batch, void *saved);
    void atemi_simulation_batch_restore(atemi_simulation_batch *batch, const void *saved);

    /* recording.h */
    typedef struct { const char *name, *unit, *group; ...; } atemi_channel;
    typedef struct { const char *name; double value; const char *unit; ...; } atemi_recorded_value;
    typedef struct {
        double t;
        const char *kind, *what, *text;
        int value_count;
        const atemi_recorded_value *values;
        ...;
    } atemi_recorded_event;
    typedef struct {
        const char *name;
        double value;
        const char *unit;
        double printed, tolerance;
        const char *source;
        ...;
    } atemi_recorded_result;
    typedef struct { const char *name, *unit; ...; } atemi_recorded_column;
    typedef struct {
        int y_count;
        const int *y;
        int x, series;
        bool by_rows, is_map;
        int tile;
        ...;
    } atemi_table_plot;
    typedef struct {
        const char *name, *title;
        int row_count, column_count;
        const atemi_recorded_column *columns;
        const char *const *labels;
        const double *values;
        atemi_table_plot plot;
        ...;
    } atemi_recorded_table;
    typedef struct {
        const char *file;
        int line, column;
        const char *message;
        ...;
    } atemi_recorded_warning;
    typedef struct {
        const char *name;
        atemi_base base;
        atemi_vec3 gravity;
        bool mimic_as_coupled;
        ...;
    } atemi_recorded_robot;
    typedef struct atemi_recording atemi_recording;
    void atemi_recording_destroy(atemi_recording *recording);
    int atemi_recording_channel_count(const atemi_recording *recording);
    int atemi_recording_row_count(const atemi_recording *recording);
    int atemi_recording_event_count(const atemi_recording *recording);
    int atemi_recording_result_count(const atemi_recording *recording);
    int atemi_recording_table_count(const atemi_recording *recording);
    int atemi_recording_warning_count(const atemi_recording *recording);
    const atemi_channel *atemi_recording_channel(const atemi_recording *recording, int index);
    const atemi_recorded_event *atemi_recording_event(const atemi_recording *recording, int index);
    const atemi_recorded_result *atemi_recording_result(const atemi_recording *recording,
                                                        int index);
    const atemi_recorded_table *atemi_recording_table(const atemi_recording *recording, int index);
    const atemi_recorded_warning *atemi_recording_warning(const atemi_recording *recording,
                                                          int index);
    const double *atemi_recording_values(const atemi_recording *recording, int channel);
    const char *atemi_recording_job(const atemi_recording *recording);
    const char *atemi_recording_outcome(const atemi_recording *recording);
    const char *atemi_recording_urdf(const atemi_recording *recording, size_t *size);
    const char *atemi_recording_scenario(const atemi_recording *recording, size_t *size);
    const atemi_recorded_robot *atemi_recording_robot(const atemi_recording *recording);
    atemi_status atemi_recording_robot_load(const atemi_recording *recording,
                                            const char *package_path, atemi_model **model,
                                            atemi_error *error);
    atemi_status atemi_recording_write(const atemi_recording *recording, const char *folder,
                                       atemi_error *error);
    atemi_status atemi_recording_load(const char *folder, atemi_recording **recording,
                                      atemi_error *error);

    /* recording.h: reports */
    bool atemi_report_available(void);
    atemi_status atemi_report_write(const atemi_recording *recording, const char *path,
                                    atemi_error *error);
    atemi_status atemi_report_write_pair(const atemi_recording *first,
                                         const atemi_recording *second, const char *path,
                                         atemi_error *error);
    atemi_status atemi_report_write_figures(const atemi_recording *recording, const char *folder,
                                            atemi_error *error);

    /* job.h */
    typedef struct {
        bool (*progress)(void *context, double done);
        void *context;
        ...;
    } atemi_job_hooks;
    typedef struct {
        unsigned flags;
        atemi_job_hooks hooks;
        ...;
    } atemi_job_options;
    extern "Python" bool atemi_python_progress(void *, double);
    int atemi_job_count(void);
    const char *atemi_job_name(int index);
    const char *atemi_job_summary(int index);
    unsigned atemi_job_flag(const char *job, const char *flag);
    atemi_status atemi_job_run(const char *job, const char *path,
                               const atemi_job_options *options, atemi_recording **recording,
                               atemi_error *error);
    atemi_status atemi_job_run_text(const char *job, const char *text, size_t size,
                                    const char *file, const atemi_job_options *options,
                                    atemi_recording **recording, atemi_error *error);
    atemi_status atemi_job_explain(const char *job, const char *path, char **text,
                                   atemi_error *error);
    typedef struct {
        const atemi_model *model;
        const char *robot;
        const char *feet[2];
        const char *hand;
        double sole[2], height, mass;
        bool stands;
        ...;
    } atemi_job_wish;
    atemi_job_wish atemi_job_wish_default(void);
    atemi_status atemi_job_init(const char *job, const atemi_job_wish *wish, char **text,
                                atemi_error *error);
    typedef struct { double friction, mass, distance; ...; } atemi_strike_conditions;
    atemi_status atemi_strike_verify_recording(const atemi_recording *planned,
                                               const atemi_strike_conditions *conditions,
                                               atemi_recording **recording, atemi_error *error);

    /* walk.h */
    typedef enum { ATEMI_FOOT_AIR, ATEMI_FOOT_STATES, ... } atemi_foot_state;
    const char *atemi_foot_state_text(atemi_foot_state state);
    typedef struct {
        double tick, step_length, step_period, double_support, pressure_travel, hip_height,
            clearance, landing_speed, heel_strike, push_off, arm_swing, capture_gain, longest_step,
            longest_back, last_change, settling, gather, slacken, felt_part, forgetting, sole_rate,
            foot_rate, trunk_rate, head_rate, joint_rate, arm_rate;
        ...;
    } atemi_walking_options;
    atemi_walking_options atemi_walking_options_default(void);
    typedef struct {
        const double *q, *v;
        bool touches[...];
        atemi_vec3 forces[...];
        ...;
    } atemi_walking_senses;
    typedef enum { ATEMI_STRIDE_DOUBLE, ATEMI_STRIDE_SWING, ... } atemi_stride_phase;
    typedef struct {
        atemi_stride_phase phase;
        int standing;
        double clock;
        long landings;
        double sole, pressure, capture, foothold, step_length, felt, strain;
        long limited;
        ...;
    } atemi_walking_state;
    typedef struct atemi_walking_controller atemi_walking_controller;
    atemi_status atemi_walking_controller_create(const atemi_model *model,
                                                 const atemi_walking_options *options,
                                                 atemi_walking_controller **controller,
                                                 atemi_error *error);
    void atemi_walking_controller_destroy(atemi_walking_controller *controller);
    void atemi_walking_controller_posture(atemi_walking_controller *controller, double *q);
    void atemi_walking_controller_tick(atemi_walking_controller *controller, double time,
                                       const atemi_walking_senses *senses);
    void atemi_walking_controller_torque(const atemi_walking_controller *controller, double time,
                                         const double *v, double *tau);
    atemi_walking_state atemi_walking_controller_state(const atemi_walking_controller *controller);
    int atemi_walking_controller_point(const atemi_walking_controller *controller, int point,
                                       atemi_vec3 *place);

    /* humanoid.h, biped.h */
    typedef struct { int end; ...; } atemi_limb;
    typedef struct { atemi_transform pose; double size_x, size_y; ...; } atemi_sole;
    typedef struct { atemi_limb legs[...]; atemi_sole soles[...]; ...; } atemi_humanoid;
    typedef struct { double sole_x, sole_y; ...; } atemi_humanoid_options;
    atemi_humanoid_options atemi_humanoid_options_default(void);
    typedef enum { ATEMI_SOLE_AIR, ATEMI_SOLE_STATES, ... } atemi_sole_state;
    const char *atemi_sole_state_text(atemi_sole_state state);
    typedef struct {
        double accelerometer, foot_place, foot_speed, foot_drift, tilt_drift, loaded;
        ...;
    } atemi_base_estimator_options;
    atemi_base_estimator_options atemi_base_estimator_options_default(void);
    typedef struct {
        const double *q, *v;
        atemi_imu_reading imu;
        double forces[...];
        ...;
    } atemi_base_senses;
    typedef struct atemi_base_estimator atemi_base_estimator;
    atemi_base_estimator *atemi_base_estimator_take(
        atemi_arena *arena, const atemi_model *model, const atemi_humanoid *humanoid,
        const atemi_base_estimator_options *options);
    void atemi_base_estimator_start(atemi_base_estimator *estimator, const double *q);
    void atemi_base_estimator_update(atemi_base_estimator *estimator, double dt,
                                     const atemi_base_senses *senses, double *q, double *v);
    typedef struct {
        double tick, knee, forwards, sideways, turning, step_time, double_support, starting,
            clearance, landing_speed, narrowest, longest, highest, correction, fastest, slowest,
            last_change, edge, friction, capture_rate, height_rate, trunk_rate, foot_rate,
            joint_rate, sole_rate, spin_rate;
        int footsteps;
        ...;
    } atemi_biped_options;
    atemi_biped_options atemi_biped_options_default(void);
    typedef struct {
        const double *q, *v;
        double forces[...];
        ...;
    } atemi_biped_senses;
    typedef enum {
        ATEMI_BIPED_STANDS, ATEMI_BIPED_PASSES, ATEMI_BIPED_SWINGS, ...
    } atemi_biped_phase;
    typedef struct {
        atemi_biped_phase phase;
        int support;
        double clock, step_time;
        long landings;
        atemi_vec3 capture, pressure, foothold;
        double friction, confidence;
        bool slides[...];
        double effort;
        long failures;
        ...;
    } atemi_biped_state;
    typedef struct atemi_biped atemi_biped;
    atemi_status atemi_biped_create(const atemi_model *model, const atemi_biped_options *options,
                                    const atemi_humanoid_options *parts, atemi_biped **biped,
                                    atemi_error *error);
    void atemi_biped_destroy(atemi_biped *biped);
    void atemi_biped_posture(const atemi_biped *biped, double *q);
    const atemi_humanoid *atemi_biped_humanoid(const atemi_biped *biped);
    void atemi_biped_command(atemi_biped *biped, double forwards, double sideways, double turning);
    void atemi_biped_walk_on(atemi_biped *biped, _Bool walk);
    typedef struct {
        int side;
        atemi_vec3 place;
        double heading, time;
        ...;
    } atemi_biped_footstep;
    atemi_status atemi_biped_footsteps(atemi_biped *biped, const atemi_biped_footstep *steps,
                                       int count, int *wrong, atemi_error *error);
    void atemi_biped_tick(atemi_biped *biped, const atemi_biped_senses *senses, double *tau);
    atemi_biped_state atemi_biped_state_get(const atemi_biped *biped);

    /* joint_control.h, control_loop.h */
    typedef struct {
        double resistance, inductance, torque_constant, back_emf, bus_voltage, peak_current,
            rotor_inertia, gear, coulomb, viscous, spring, spring_damping;
        ...;
    } atemi_joint_drive;
    typedef struct {
        atemi_joint_drive drive;
        double link_inertia, period;
        bool senses_current, takes_torque, acts_next_tick, in_chain;
        double current_bandwidth, velocity_bandwidth, torque_bandwidth, position_bandwidth,
            motor_tracking, joint_tracking, current_limit, speed_limit, torque_limit, torque_rate,
            lowest, highest, stop_rate, command_period, command_timeout, patience, stuck_torque,
            stuck_travel;
        ...;
    } atemi_joint_control_options;
    atemi_joint_control_options atemi_joint_control_options_default(void);
    atemi_joint_control_options atemi_joint_control_options_rigid(void);
    atemi_joint_control_options
    atemi_joint_control_options_at(const atemi_joint_control_options *options, double period);
    double atemi_joint_control_loop_inertia(const atemi_joint_control_options *options);
    typedef struct {
        double motor_position, joint_position, current;
        ...;
    } atemi_joint_measurement;
    typedef enum {
        ATEMI_JOINT_VOLTAGE, ATEMI_JOINT_CURRENT, ATEMI_JOINT_VELOCITY, ATEMI_JOINT_TORQUE,
        ATEMI_JOINT_IMPEDANCE, ATEMI_JOINT_POSITION, ...
    } atemi_joint_level;
    typedef struct {
        atemi_joint_level level;
        bool direct_torque;
        double voltage, current, torque, position, velocity, acceleration, stiffness, damping,
            integral, windup_limit, feedback_limit, inertia_torque, gravity_torque, speed_limit;
        ...;
    } atemi_joint_command;
    atemi_joint_command atemi_joint_command_default(void);
    typedef enum { ATEMI_JOINT_OK, ... } atemi_joint_state;
    const char *atemi_joint_state_text(atemi_joint_state state);
    typedef enum { ATEMI_JOINT_MOTOR_READING, ATEMI_JOINT_TORQUE_CONTRADICTED, ... } atemi_joint_fault;
    const char *atemi_joint_fault_text(atemi_joint_fault fault);
    typedef struct {
        double voltage, duty, current_demand, velocity_demand, torque_demand, feedback_torque,
            torque, joint_velocity, motor_velocity;
        atemi_joint_state state;
        unsigned faults;
        ...;
    } atemi_joint_output;
    typedef struct { ...; } atemi_joint_control;
    atemi_status atemi_joint_control_start(const atemi_joint_control_options *options,
                                           atemi_joint_control *control, atemi_error *error);
    void atemi_joint_control_step(atemi_joint_control *control,
                                  const atemi_joint_measurement *measurement,
                                  const atemi_joint_command *command, atemi_joint_output *output);
    void atemi_joint_controls_step(atemi_joint_control *controls,
                                   const atemi_joint_measurement *measurements,
                                   const atemi_joint_command *commands, int count,
                                   atemi_joint_output *outputs);
    void atemi_joint_control_restart(atemi_joint_control *control);
    unsigned atemi_joint_control_history(const atemi_joint_control *control);
    typedef struct {
        atemi_joint_drive drive;
        double link_inertia;
        bool acts_next_tick;
        double substep, motor_step, joint_step, current_step, motor_deviation, joint_deviation,
            current_deviation, lowest, highest, stop_stiffness, stop_damping;
        uint64_t seed;
        ...;
    } atemi_joint_plant_options;
    atemi_joint_plant_options atemi_joint_plant_options_default(void);
    atemi_joint_plant_options atemi_joint_plant_options_rigid(void);
    typedef struct {
        double current, motor_position, motor_velocity, joint_position, joint_velocity;
        ...;
    } atemi_joint_plant;
    atemi_status atemi_joint_plant_start(const atemi_joint_plant_options *options,
                                         atemi_joint_plant *plant, atemi_error *error);
    void atemi_joint_plant_apply(atemi_joint_plant *plant, double voltage);
    void atemi_joint_plant_advance(atemi_joint_plant *plant, double duration, double load);
    double atemi_joint_plant_torque(const atemi_joint_plant *plant);
    void atemi_joint_plant_measure(atemi_joint_plant *plant, atemi_joint_measurement *measurement);

    /* coordination.h */
    typedef enum { ATEMI_SOURCE_USER, ATEMI_SOURCE_SUPERVISOR, ... } atemi_command_source;
    typedef enum {
        ATEMI_MOTION_JOINTS, ATEMI_MOTION_NODES, ATEMI_MOTION_BREADCRUMBS, ...
    } atemi_goal_motion;
    typedef enum { ATEMI_OUTCOME_ACTIVE, ... } atemi_goal_outcome;
    const char *atemi_goal_outcome_text(atemi_goal_outcome outcome);
    typedef struct {
        int id;
        atemi_goal_motion motion;
        atemi_command_source source;
        atemi_goal_outcome outcome;
        double begun, ended, done, position, rotation;
        int joint;
        ...;
    } atemi_goal_record;
    typedef struct { int capacity, last; ...; } atemi_goal_log;
    atemi_goal_record *atemi_goal_log_find(const atemi_goal_log *log, int id);
    typedef struct { double natural_frequency, damping_ratio; ...; } atemi_desired_dynamics;
    typedef struct { double stiffness, damping_min, damping_max; ...; } atemi_impedance_limits;
    #define ATEMI_ALL_JOINTS ...
    typedef struct {
        bool elastic;
        double velocity, acceleration, retreat_velocity, retreat_acceleration, torque_limit;
        atemi_desired_dynamics dynamics;
        double integral_rate, windup_limit;
        atemi_impedance_limits impedance;
        double gravity, loop_inertia, own_damping, highest_frequency;
        ...;
    } atemi_coordinated_joint;
    atemi_coordinated_joint atemi_coordinated_joint_default(const atemi_model *model, int i);
    typedef struct {
        int link;
        atemi_transform frame;
        double size_x, size_y, friction;
        ...;
    } atemi_standing_contact;
    typedef struct {
        double missing, capture, drift, effort;
        int joint;
        ...;
    } atemi_standing_report;
    typedef struct {
        double period;
        const atemi_coordinated_joint *joints;
        int base_link;
        atemi_transform base_pose;
        int max_nodes, max_breadcrumbs, max_holds;
        const atemi_standing_contact *contacts;
        int contact_count;
        double contact_margin;
        double stiffness_step, damping_step, torque_step, gravity_step, base_step, deviation_scale,
            position_tolerance, rotation_tolerance, patience, command_timeout, energy_limit,
            energy_leak;
        atemi_goal_record *goals;
        int goal_capacity;
        ...;
    } atemi_coordination_options;
    atemi_coordination_options atemi_coordination_options_default(void);
    typedef struct atemi_coordination atemi_coordination;
    atemi_status atemi_coordination_create(const atemi_model *model,
                                           const atemi_coordination_options *options,
                                           atemi_coordination **coordination, atemi_error *error);
    void atemi_coordination_destroy(atemi_coordination *coordination);
    int atemi_coordination_joint_count(const atemi_coordination *coordination);
    atemi_standing_report atemi_coordination_standing(const atemi_coordination *coordination);
    atemi_force atemi_coordination_contact_wrench(const atemi_coordination *coordination,
                                                  int contact);
    typedef struct {
        const double *positions, *velocities, *torques;
        ...;
    } atemi_coordination_measurement;
    void atemi_coordination_step(atemi_coordination *coordination,
                                 const atemi_coordination_measurement *measurement,
                                 atemi_joint_command *commands);
    typedef enum {
        ATEMI_COORDINATION_MEASUREMENT, ATEMI_COORDINATION_OVERLOADED, ...
    } atemi_coordination_fault;
    const char *atemi_coordination_fault_text(atemi_coordination_fault fault);
    typedef struct {
        double time;
        unsigned faults;
        bool moving;
        int base_link;
        double base_fraction, energy;
        ...;
    } atemi_coordination_report;
    atemi_coordination_report atemi_coordination_report_get(const atemi_coordination *coordination);
    const double *atemi_coordination_posture(const atemi_coordination *coordination);
    const atemi_goal_log *atemi_coordination_goals(const atemi_coordination *coordination);
    typedef struct { int joint; double position, velocity; ...; } atemi_joint_target;
    atemi_status atemi_coordination_move_joints(atemi_coordination *coordination,
                                                atemi_command_source source,
                                                const atemi_joint_target *targets, int count,
                                                double duration, atemi_error *error);
    typedef enum { ATEMI_PRIORITY_CRITICAL, ATEMI_PRIORITY_HIGH, ATEMI_PRIORITY_MEDIUM,
                   ATEMI_PRIORITY_LOW, ATEMI_PRIORITY_IGNORE, ... } atemi_priority;
    typedef struct {
        int link;
        atemi_transform frame, target;
        atemi_priority priority[6];
        unsigned force_axes;
        atemi_force force;
        ...;
    } atemi_node_target;
    atemi_node_target atemi_node_target_default(void);
    typedef struct {
        double duration, velocity, acceleration, angular_velocity, angular_acceleration, posture_rate,
            force_rate, moment_rate, force_speed, force_travel;
        const bool *joints;
        const double *posture;
        ...;
    } atemi_node_motion;
    atemi_node_motion atemi_node_motion_default(void);
    atemi_status atemi_coordination_move_nodes(atemi_coordination *coordination,
                                               atemi_command_source source,
                                               const atemi_node_target *targets, int count,
                                               const atemi_node_motion *motion,
                                               atemi_error *error);
    atemi_status atemi_coordination_follow(atemi_coordination *coordination,
                                           atemi_command_source source, const int *joints,
                                           int joint_count, const double *positions, int count,
                                           atemi_error *error);
    void atemi_coordination_stop(atemi_coordination *coordination);
    void atemi_coordination_heartbeat(atemi_coordination *coordination);
    void atemi_coordination_resume(atemi_coordination *coordination);
    atemi_status atemi_coordination_set_dynamics(atemi_coordination *coordination,
                                                 atemi_command_source source, int joint,
                                                 atemi_desired_dynamics dynamics,
                                                 atemi_error *error);
    atemi_status atemi_coordination_set_integral(atemi_coordination *coordination,
                                                 atemi_command_source source, int joint,
                                                 double rate, atemi_error *error);
    atemi_status atemi_coordination_set_torque_limit(atemi_coordination *coordination,
                                                     atemi_command_source source, int joint,
                                                     double limit, atemi_error *error);
    atemi_status atemi_coordination_set_gravity(atemi_coordination *coordination,
                                                atemi_command_source source, int joint,
                                                double scale, atemi_error *error);
    atemi_status atemi_coordination_set_base(atemi_coordination *coordination,
                                             atemi_command_source source, int link,
                                             const atemi_transform *pose, atemi_error *error);
    typedef enum {
        ATEMI_MODE_SHARED, ATEMI_MODE_USER, ATEMI_MODE_SUPERVISOR, ...
    } atemi_command_mode;
    void atemi_coordination_set_mode(atemi_coordination *coordination, atemi_command_mode mode);

    /* papers/reproduction.h */
    typedef enum {
        ATEMI_REPRODUCED_PREDICTED, ATEMI_REPRODUCED_FITTED, ATEMI_REPRODUCED_IDENTITY,
        ATEMI_REPRODUCED_INPUT, ...
    } atemi_reproduced_kind;
    const char *atemi_reproduced_kind_text(atemi_reproduced_kind kind);
    typedef enum {
        ATEMI_REPRODUCED_EQUAL, ATEMI_REPRODUCED_AT_MOST, ATEMI_REPRODUCED_AT_LEAST, ...
    } atemi_reproduced_bound;
    const char *atemi_reproduced_bound_text(atemi_reproduced_bound bound);
    typedef struct {
        const char *paper, *quantity, *unit, *note;
        atemi_reproduced_kind kind;
        atemi_reproduced_bound bound;
        double printed, ours, tolerance;
        bool ok;
        ...;
    } atemi_reproduced;
    int atemi_papers_count(void);
    const char *atemi_papers_name(int index);
    const char *atemi_papers_title(int index);
    typedef struct atemi_reproduction atemi_reproduction;
    atemi_status atemi_reproduce(const char *name, const atemi_job_hooks *hooks,
                                 atemi_reproduction **reproduction, atemi_error *error);
    void atemi_reproduction_destroy(atemi_reproduction *reproduction);
    int atemi_reproduction_count(const atemi_reproduction *reproduction);
    const atemi_reproduced *atemi_reproduction_row(const atemi_reproduction *reproduction,
                                                   int index);
    bool atemi_reproduction_stopped(const atemi_reproduction *reproduction);
    const atemi_recording *atemi_reproduction_recording(const atemi_reproduction *reproduction);

    /* quadratic_program.h */
    typedef struct {
        int variables, rows;
        const double *H, *g, *A, *lower, *upper, *least, *most;
        ...;
    } atemi_quadratic_program;
    typedef enum {
        ATEMI_QUADRATIC_SOLVED, ATEMI_QUADRATIC_INFEASIBLE, ATEMI_QUADRATIC_UNBOUNDED,
        ATEMI_QUADRATIC_NONCONVEX, ATEMI_QUADRATIC_UNFINISHED, ATEMI_QUADRATIC_INACCURATE, ...
    } atemi_quadratic_status;
    typedef struct { int iterations; double tolerance; ...; } atemi_quadratic_options;
    typedef struct {
        atemi_quadratic_status status;
        int iterations;
        double violation, slope, objective;
        ...;
    } atemi_quadratic_result;
    typedef struct atemi_quadratic_solver atemi_quadratic_solver;
    atemi_quadratic_solver *atemi_quadratic_solver_take(atemi_arena *arena, int variables,
                                                        int rows);
    atemi_quadratic_result atemi_quadratic_solve(
        atemi_quadratic_solver *solver, const atemi_quadratic_program *program,
        const atemi_quadratic_options *options, double *x, double *multipliers,
        signed char *active);

    /* whole_body_control.h */
    typedef struct {
        int contacts, frames;
        bool efforts;
        double horizon, stop_rate, effort_cost;
        ...;
    } atemi_whole_body_options;
    atemi_whole_body_options atemi_whole_body_options_default(void);
    typedef struct atemi_whole_body_control atemi_whole_body_control;
    atemi_whole_body_control *atemi_whole_body_control_take(
        atemi_arena *arena, const atemi_model *model, const atemi_whole_body_options *options);
    typedef struct {
        int link;
        atemi_transform frame;
        double size_x, size_y, friction, least_force, most_force;
        atemi_motion acceleration;
        double weight, cost;
        ...;
    } atemi_whole_body_contact;
    atemi_whole_body_contact atemi_whole_body_contact_default(void);
    void atemi_whole_body_begin(atemi_whole_body_control *control, const double *q,
                                const double *v);
    int atemi_whole_body_contact_add(atemi_whole_body_control *control,
                                     const atemi_whole_body_contact *contact);
    void atemi_whole_body_momentum(atemi_whole_body_control *control, atemi_force rate,
                                   const double *weights);
    void atemi_whole_body_frame(atemi_whole_body_control *control, int link, atemi_vec3 point,
                                atemi_motion acceleration, const double *weights);
    void atemi_whole_body_joints(atemi_whole_body_control *control, const double *accelerations,
                                 const double *weights);
    typedef struct {
        atemi_quadratic_result program;
        bool without_stops, without_efforts;
        double effort;
        ...;
    } atemi_whole_body_report;
    atemi_status atemi_whole_body_solve(atemi_whole_body_control *control, double *tau,
                                        atemi_whole_body_report *report);
    const double *atemi_whole_body_accelerations(const atemi_whole_body_control *control);
    atemi_force atemi_whole_body_wrench(const atemi_whole_body_control *control, int contact);

    /* trajectory.h */
    typedef struct { double position, velocity, acceleration; ...; } atemi_axis_state;
    typedef struct {
        atemi_axis_state start, end;
        double velocity, acceleration;
        ...;
    } atemi_trapezoid_task;
    typedef struct { double duration; ...; } atemi_trapezoid;
    bool atemi_trapezoid_synchronize(const atemi_trapezoid_task *tasks, int count, double duration,
                                     atemi_trapezoid *profiles);
    atemi_axis_state atemi_trapezoid_at(const atemi_trapezoid *profile, double time);
"""

builder = cffi.FFI()
builder.cdef(DECLARATIONS)
builder.set_source("atemi._native", '#include <atemi/atemi.h>\n#include "kernels.h"\n#include "papers/reproduction.h"')

if __name__ == "__main__":
    builder.emit_c_code(sys.argv[1])
