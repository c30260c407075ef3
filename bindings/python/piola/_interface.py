"""Made by bindings/python/generate.py from include/piola/api.json: do not edit."""
from ._runtime import bind, check, enum, given, listed, number, result, rows, vector

INTERFACE = '0.2.0'
DECLARATIONS = r"""
#define PIOLA_RELAXATIONS 3
#define PIOLA_NO_VERTEX 4294967295
#define PIOLA_EVERY_VERTEX 4294967295
#define PIOLA_VERSION_MAJOR 0
#define PIOLA_VERSION_MINOR 2
#define PIOLA_VERSION_PATCH 0
#define PIOLA_ALIGNMENT 64
typedef enum piola_model { PIOLA_MODEL_STABLE_NEO_HOOKEAN = 0, PIOLA_MODEL_STVK = 1, PIOLA_MODEL_STVK_ORTHOTROPIC = 2, PIOLA_MODEL_STVK_GENERAL = 3, PIOLA_MODEL_NEO_HOOKEAN = 4, PIOLA_MODEL_COUNT = 5 } piola_model;
typedef enum piola_bend_model { PIOLA_BEND_ISOMETRIC = 0, PIOLA_BEND_DIHEDRAL = 1, PIOLA_BEND_MODEL_COUNT = 2 } piola_bend_model;
typedef enum piola_family { PIOLA_FAMILY_PROJECTION = 1, PIOLA_FAMILY_DESCENT = 2 } piola_family;
typedef enum piola_tether_mode { PIOLA_TETHER_GEODESIC = 0, PIOLA_TETHER_EUCLIDEAN = 1, PIOLA_TETHER_MODE_COUNT = 2 } piola_tether_mode;
typedef enum piola_constraint_kind { PIOLA_CONSTRAINT_DISTANCE = 0, PIOLA_CONSTRAINT_AREA = 1, PIOLA_CONSTRAINT_VOLUME = 2, PIOLA_CONSTRAINT_STRETCH = 3, PIOLA_CONSTRAINT_SHEAR = 4, PIOLA_CONSTRAINT_KIND_COUNT = 5 } piola_constraint_kind;
typedef enum piola_constraint_order { PIOLA_ORDER_SEIDEL = 0, PIOLA_ORDER_AVERAGED = 1, PIOLA_ORDER_SPLIT = 2, PIOLA_ORDER_COUNT = 3 } piola_constraint_order;
typedef enum piola_command_kind { PIOLA_COMMAND_BODY_PIN = 1, PIOLA_COMMAND_BODY_PIN_PLANE = 2, PIOLA_COMMAND_BODY_PIN_LINE = 3, PIOLA_COMMAND_BODY_UNPIN = 4, PIOLA_COMMAND_BODY_IMPULSE = 5, PIOLA_COMMAND_BODY_FORCE = 6, PIOLA_COMMAND_BODY_VELOCITY = 7, PIOLA_COMMAND_BODY_ACCELERATION = 8, PIOLA_COMMAND_BODY_PRESSURE = 9, PIOLA_COMMAND_BODY_THAW = 10, PIOLA_COMMAND_BODY_WAKE = 11, PIOLA_COMMAND_BODY_SLEEP_SPEED = 12, PIOLA_COMMAND_BODY_DAMPING = 13, PIOLA_COMMAND_BODY_RELATIVE_DAMPING = 14, PIOLA_COMMAND_BODY_GRAVITY_SCALE = 15, PIOLA_COMMAND_BODY_FRICTION = 16, PIOLA_COMMAND_BODY_AIR = 17, PIOLA_COMMAND_BODY_FILTER = 18, PIOLA_COMMAND_TRACTION_VALUE = 19, PIOLA_COMMAND_TRACTION_PRESSURE = 20, PIOLA_COMMAND_ATTACHMENT_TARGET = 21, PIOLA_COMMAND_ATTACHMENT_DETACH = 22, PIOLA_COMMAND_ATTACHMENT_COMPLIANCE = 23, PIOLA_COMMAND_ATTACHMENT_DAMPING = 24, PIOLA_COMMAND_COLLIDER_MOVE = 25, PIOLA_COMMAND_COLLIDER_TURN = 26, PIOLA_COMMAND_COLLIDER_VELOCITY = 27, PIOLA_COMMAND_COLLIDER_SPIN = 28, PIOLA_COMMAND_COLLIDER_FRICTION = 29, PIOLA_COMMAND_COLLIDER_RESTITUTION = 30, PIOLA_COMMAND_COLLIDER_FILTER = 31, PIOLA_COMMAND_RIGID_MOVE = 32, PIOLA_COMMAND_RIGID_TURN = 33, PIOLA_COMMAND_RIGID_VELOCITY = 34, PIOLA_COMMAND_RIGID_SPIN = 35, PIOLA_COMMAND_RIGID_IMPULSE = 36, PIOLA_COMMAND_RIGID_TWIST = 37, PIOLA_COMMAND_RIGID_FORCE = 38, PIOLA_COMMAND_RIGID_DAMPING = 39, PIOLA_COMMAND_RIGID_GRAVITY_SCALE = 40, PIOLA_COMMAND_RIGID_FRICTION = 41, PIOLA_COMMAND_RIGID_RESTITUTION = 42, PIOLA_COMMAND_RIGID_FILTER = 43, PIOLA_COMMAND_WORLD_DT = 44, PIOLA_COMMAND_WORLD_SUBSTEPS = 45, PIOLA_COMMAND_WORLD_ITERATIONS = 46, PIOLA_COMMAND_WORLD_GRAVITY = 47, PIOLA_COMMAND_WORLD_WIND = 48, PIOLA_COMMAND_WORLD_WIND_ORIGIN = 49, PIOLA_COMMAND_WORLD_WIND_STRENGTH = 50, PIOLA_COMMAND_COUNT = 51 } piola_command_kind;
typedef enum piola_contact_phase { PIOLA_CONTACT_BEGIN = 1, PIOLA_CONTACT_STAY = 2, PIOLA_CONTACT_END = 3 } piola_contact_phase;
typedef enum piola_detail_mode { PIOLA_DETAIL_SURFACE = 0, PIOLA_DETAIL_EMBED = 1, PIOLA_DETAIL_MODE_COUNT = 2 } piola_detail_mode;
typedef enum piola_io_status { PIOLA_IO_OK = 0, PIOLA_IO_ERROR_NULL = 1, PIOLA_IO_ERROR_COOKIE = 2, PIOLA_IO_ERROR_RANGE = 3, PIOLA_IO_ERROR_FORMAT = 4, PIOLA_IO_ERROR_FILE = 5, PIOLA_IO_ERROR_CONTENT = 6, PIOLA_IO_ERROR_MEMORY = 7, PIOLA_IO_ERROR_ENGINE = 8, PIOLA_IO_ERROR_ABSENT = 9, PIOLA_IO_STATUS_COUNT = 10 } piola_io_status;
typedef enum piola_target { PIOLA_TARGET_BODIES = 1, PIOLA_TARGET_COLLIDERS = 2, PIOLA_TARGET_RIGIDS = 4, PIOLA_TARGET_SENSORS = 8, PIOLA_TARGET_SOLID = 7, PIOLA_TARGET_ALL = 15 } piola_target;
typedef enum piola_region_shape { PIOLA_REGION_SPHERE = 0, PIOLA_REGION_BOX = 1, PIOLA_REGION_SHAPE_COUNT = 2 } piola_region_shape;
typedef enum piola_shape_kind { PIOLA_SHAPE_PLANE = 0, PIOLA_SHAPE_SPHERE = 1, PIOLA_SHAPE_CAPSULE = 2, PIOLA_SHAPE_BOX = 3, PIOLA_SHAPE_HULL = 4, PIOLA_SHAPE_MESH = 5, PIOLA_SHAPE_WALL = 6, PIOLA_SHAPE_HEIGHTS = 7, PIOLA_SHAPE_DISTANCES = 8, PIOLA_SHAPE_KIND_COUNT = 9 } piola_shape_kind;
typedef enum piola_status { PIOLA_OK = 0, PIOLA_ERROR_NULL = 1, PIOLA_ERROR_COOKIE = 2, PIOLA_ERROR_RANGE = 3, PIOLA_ERROR_NOT_FINITE = 4, PIOLA_ERROR_TOO_LARGE = 5, PIOLA_ERROR_ALIGNMENT = 6, PIOLA_ERROR_MEMORY = 7, PIOLA_ERROR_STALE = 8, PIOLA_ERROR_ISA = 9, PIOLA_ERROR_ARITHMETIC = 10, PIOLA_ERROR_BODIES_FULL = 11, PIOLA_ERROR_PARTICLES_FULL = 12, PIOLA_ERROR_PACKS_FULL = 13, PIOLA_ERROR_HOLES = 14, PIOLA_ERROR_ASSETS_FULL = 15, PIOLA_ERROR_ATTACHMENTS_FULL = 16, PIOLA_ERROR_TRACTIONS_FULL = 17, PIOLA_ERROR_CONSTRAINTS_FULL = 18, PIOLA_ERROR_CONTACTS_FULL = 19, PIOLA_ERROR_COLLIDERS_FULL = 20, PIOLA_ERROR_RIGIDS_FULL = 21, PIOLA_ERROR_SHAPES_FULL = 22, PIOLA_ERROR_WIND_FULL = 23, PIOLA_ERROR_COMMANDS_FULL = 24, PIOLA_ERROR_SOLVER = 25, PIOLA_ERROR_FAMILY = 26, PIOLA_ERROR_ASSET_IN_USE = 27, PIOLA_ERROR_SHAPE_IN_USE = 28, PIOLA_ERROR_RECORDING = 29, PIOLA_ERROR_THREADS = 30, PIOLA_ERROR_MESH_EMPTY = 31, PIOLA_ERROR_MESH_INDEX = 32, PIOLA_ERROR_MESH_REPEATED = 33, PIOLA_ERROR_MESH_DEGENERATE = 34, PIOLA_ERROR_MESH_INVERTED = 35, PIOLA_ERROR_MESH_DUPLICATE = 36, PIOLA_ERROR_MESH_ISOLATED = 37, PIOLA_ERROR_COLOURS = 38, PIOLA_ERROR_MESH_MATERIAL = 39, PIOLA_ERROR_MESH_FRAME = 40, PIOLA_ERROR_MESH_OPEN = 41, PIOLA_ERROR_MATERIAL = 42, PIOLA_ERROR_DETAIL_FAR = 43, PIOLA_ERROR_BLOB_TRUNCATED = 44, PIOLA_ERROR_BLOB_MAGIC = 45, PIOLA_ERROR_BLOB_VERSION = 46, PIOLA_ERROR_BLOB_CHECKSUM = 47, PIOLA_ERROR_BLOB_CORRUPT = 48, PIOLA_ERROR_SNAPSHOT_FORMAT = 49, PIOLA_ERROR_SNAPSHOT_WORLD = 50, PIOLA_ERROR_RECORD_FULL = 51, PIOLA_ERROR_RECORD_FORMAT = 52, PIOLA_ERROR_RECORD_DAMAGED = 53, PIOLA_STATUS_COUNT = 54 } piola_status;
typedef enum piola_isa { PIOLA_ISA_AUTO = 0, PIOLA_ISA_SSE4 = 1, PIOLA_ISA_AVX2 = 2, PIOLA_ISA_AVX512 = 3, PIOLA_ISA_NEON = 4, PIOLA_ISA_COUNT = 5 } piola_isa;
typedef enum piola_wait_policy { PIOLA_WAIT_SPIN = 0, PIOLA_WAIT_YIELD = 1, PIOLA_WAIT_SLEEP = 2, PIOLA_WAIT_COUNT = 3 } piola_wait_policy;
typedef enum piola_feature { PIOLA_FEATURE_THREADS = 1, PIOLA_FEATURE_AFFINITY = 2, PIOLA_FEATURE_REALTIME = 4, PIOLA_FEATURE_LOCK_MEMORY = 8, PIOLA_FEATURE_HUGE_PAGES = 16, PIOLA_FEATURE_FUTEX = 32 } piola_feature;
typedef enum piola_solver { PIOLA_SOLVER_DESCENT = 0, PIOLA_SOLVER_ENERGY = 1, PIOLA_SOLVER_COMPLIANT = 2, PIOLA_SOLVER_EXPLICIT = 3, PIOLA_SOLVER_COUNT = 4 } piola_solver;
typedef enum piola_integrator { PIOLA_INTEGRATOR_EULER = 0, PIOLA_INTEGRATOR_BDF2 = 1, PIOLA_INTEGRATOR_COUNT = 2 } piola_integrator;
typedef enum piola_untangle { PIOLA_UNTANGLE_SOLIDS = 0, PIOLA_UNTANGLE_ALL = 1, PIOLA_UNTANGLE_NONE = 2, PIOLA_UNTANGLE_COUNT = 3 } piola_untangle;
typedef enum piola_pressure { PIOLA_PRESSURE_NONE = 0, PIOLA_PRESSURE_GAUGE = 1, PIOLA_PRESSURE_GAS = 2, PIOLA_PRESSURE_VOLUME = 3, PIOLA_PRESSURE_COUNT = 4 } piola_pressure;
typedef enum piola_phase { PIOLA_PHASE_BEGIN = 0, PIOLA_PHASE_PREDICT = 1, PIOLA_PHASE_FIND = 2, PIOLA_PHASE_ELEMENTS = 3, PIOLA_PHASE_CONSTRAINTS = 4, PIOLA_PHASE_LIMIT = 5, PIOLA_PHASE_FINISH = 6, PIOLA_PHASE_MEASURE = 7, PIOLA_PHASE_END = 8, PIOLA_PHASE_COUNT = 9 } piola_phase;
typedef struct piola_plan piola_plan;
typedef struct piola_asset piola_asset;
typedef struct piola_detail piola_detail;
typedef struct piola_detail_pose piola_detail_pose;
typedef struct piola_world piola_world;
typedef struct piola_io_mesh piola_io_mesh;
typedef struct piola_io_scene piola_io_scene;
typedef struct piola_shape_data piola_shape_data;
typedef struct piola_workers piola_workers;
typedef struct piola_relaxation piola_relaxation;
typedef struct piola_material piola_material;
typedef struct piola_constraint piola_constraint;
typedef struct piola_mesh_desc piola_mesh_desc;
typedef struct piola_bends piola_bends;
typedef struct piola_asset_stats piola_asset_stats;
typedef struct piola_attachment_point piola_attachment_point;
typedef struct piola_attachment_desc piola_attachment_desc;
typedef struct piola_attachment_info piola_attachment_info;
typedef struct piola_command piola_command;
typedef struct piola_collider_desc piola_collider_desc;
typedef struct piola_collider_info piola_collider_info;
typedef struct piola_contact_event piola_contact_event;
typedef struct piola_contact_point piola_contact_point;
typedef struct piola_detail_desc piola_detail_desc;
typedef struct piola_detail_bond piola_detail_bond;
typedef struct piola_detail_stats piola_detail_stats;
typedef struct piola_element_state piola_element_state;
typedef struct piola_body piola_body;
typedef struct piola_attachment piola_attachment;
typedef struct piola_traction piola_traction;
typedef struct piola_collider piola_collider;
typedef struct piola_rigid piola_rigid;
typedef struct piola_io_error piola_io_error;
typedef struct piola_io_allocator piola_io_allocator;
typedef struct piola_io_mesh_options piola_io_mesh_options;
typedef struct piola_io_format piola_io_format;
typedef struct piola_io_mesh_arrays piola_io_mesh_arrays;
typedef struct piola_io_mesh_facts piola_io_mesh_facts;
typedef struct piola_io_box_desc piola_io_box_desc;
typedef struct piola_io_ball_desc piola_io_ball_desc;
typedef struct piola_io_capsule_desc piola_io_capsule_desc;
typedef struct piola_io_sheet_desc piola_io_sheet_desc;
typedef struct piola_io_fill_desc piola_io_fill_desc;
typedef struct piola_io_scene_desc piola_io_scene_desc;
typedef struct piola_io_scene_facts piola_io_scene_facts;
typedef struct piola_io_scene_body piola_io_scene_body;
typedef struct piola_io_scene_collider piola_io_scene_collider;
typedef struct piola_hit piola_hit;
typedef struct piola_ray piola_ray;
typedef struct piola_probe piola_probe;
typedef struct piola_region piola_region;
typedef struct piola_overlap piola_overlap;
typedef struct piola_replay piola_replay;
typedef struct piola_rigid_desc piola_rigid_desc;
typedef struct piola_rigid_info piola_rigid_info;
typedef struct piola_shape piola_shape;
typedef struct piola_shape_desc piola_shape_desc;
typedef struct piola_shape_stats piola_shape_stats;
typedef struct piola_error piola_error;
typedef struct piola_traction_desc piola_traction_desc;
typedef struct piola_traction_info piola_traction_info;
typedef struct piola_wind_grid_desc piola_wind_grid_desc;
typedef struct piola_workers_desc piola_workers_desc;
typedef struct piola_world_desc piola_world_desc;
typedef struct piola_contact_work piola_contact_work;
typedef struct piola_body_desc piola_body_desc;
typedef struct piola_body_info piola_body_info;
typedef struct piola_tasks piola_tasks;
typedef struct piola_report piola_report;
typedef struct piola_sleep_event piola_sleep_event;
typedef struct piola_difference piola_difference;
typedef struct piola_capacity piola_capacity;
typedef struct piola_memory_entry piola_memory_entry;
typedef void piola_work(void * argument, uint32_t worker);
struct piola_relaxation {
    float share;
    float time;
};
struct piola_material {
    uint32_t cookie_;
    piola_model model;
    piola_bend_model bend_model;
    float bend;
    float density;
    float young;
    float poisson;
    float young_axis[3];
    float poisson_axis[3];
    float shear_axis[3];
    float stiffness[21];
    float damping;
    float mass_damping;
    float plastic_yield;
    float plastic_creep;
    float plastic_max;
    float thickness;
    float stretch_min;
    float stretch_max;
    piola_relaxation relaxation[PIOLA_RELAXATIONS];
};
struct piola_constraint {
    piola_constraint_kind kind;
    uint32_t vertices[4];
    float axes[2][3];
    float least;
    float most;
    float compliance;
    float stiffness;
};
struct piola_mesh_desc {
    uint32_t cookie_;
    uint32_t families;
    const double * vertices;
    uint32_t vertex_count;
    const uint32_t * tetrahedra;
    uint32_t tetrahedron_count;
    const uint32_t * tetrahedron_materials;
    const float * tetrahedron_frames;
    const uint32_t * triangles;
    uint32_t triangle_count;
    const uint32_t * triangle_materials;
    const double * triangle_patterns;
    const float * triangle_directions;
    const uint32_t * bends;
    uint32_t bend_count;
    const uint32_t * bend_materials;
    const uint32_t * links;
    uint32_t link_count;
    const uint32_t * link_materials;
    const float * link_lengths;
    const float * link_bounds;
    const float * link_compliances;
    const float * link_dampings;
    const uint32_t * tether_anchors;
    uint32_t tether_anchor_count;
    piola_tether_mode tether_mode;
    float tether_slack;
    const piola_constraint * constraints;
    uint32_t constraint_count;
    piola_constraint_order constraint_order;
    float constraint_relaxation;
    const piola_material * materials;
    uint32_t material_count;
    uint32_t cluster_limit;
    uint32_t cluster_size;
    bool coarse_level;
    bool coarse_sheets;
};
struct piola_bends {
    const uint32_t * bends;
    uint32_t count;
    uint32_t boundary_edges;
    uint32_t crowded_edges;
    uint32_t crowded[2];
    uint32_t reserved;
};
struct piola_asset_stats {
    uint32_t vertices;
    uint32_t particles;
    uint32_t tetrahedra;
    uint32_t triangles;
    uint32_t bends;
    uint32_t links;
    uint32_t tethers;
    uint32_t limited_triangles;
    uint32_t constraints;
    uint32_t constraint_packs;
    uint32_t link_packs;
    uint32_t packs;
    uint32_t plastic_packs;
    uint32_t surface_triangles;
    uint32_t clusters;
    uint32_t vertex_clusters;
    uint32_t cluster_colours;
    uint32_t vertex_cluster_colours;
    uint32_t element_colours;
    uint32_t vertex_colours;
    float fill_elements;
    float fill_vertices;
    double mass;
    double volume;
    double enclosed;
};
struct piola_body {
    uint32_t index;
    uint32_t generation;
};
struct piola_attachment_point {
    piola_body body;
    uint32_t count;
    uint32_t vertices[4];
    float weights[4];
};
struct piola_attachment_desc {
    uint32_t cookie_;
    piola_attachment_point point;
    piola_attachment_point other;
    float target[3];
    float compliance;
    float damping;
};
struct piola_attachment_info {
    float force[3];
    float gap[3];
    float target[3];
    float compliance;
    float damping;
};
struct piola_traction {
    uint32_t index;
    uint32_t generation;
};
struct piola_attachment {
    uint32_t index;
    uint32_t generation;
};
struct piola_collider {
    uint32_t index;
    uint32_t generation;
};
struct piola_rigid {
    uint32_t index;
    uint32_t generation;
};
struct piola_command {
    uint32_t kind;
    uint32_t reserved_;
    union {
        struct {
            piola_body body;
            uint32_t vertex;
            float position[3];
        } pin;
        struct {
            piola_body body;
            uint32_t vertex;
            float point[3];
            float direction[3];
        } guide;
        struct {
            piola_body body;
            uint32_t vertex;
        } unpin;
        struct {
            piola_body body;
            uint32_t vertex;
            float impulse[3];
        } impulse;
        struct {
            piola_body body;
            uint32_t vertex;
            float force[3];
        } body_force;
        struct {
            piola_body body;
            float velocity[3];
        } body_velocity;
        struct {
            piola_body body;
            float acceleration[3];
        } body_acceleration;
        struct {
            piola_body body;
            float pressure;
        } body_pressure;
        struct {
            piola_body body;
        } body_thaw;
        struct {
            piola_body body;
            float value;
        } body_number;
        struct {
            piola_body body;
            float value[2];
        } body_pair;
        struct {
            piola_body body;
            uint64_t category;
            uint64_t mask;
        } body_filter;
        struct {
            piola_traction traction;
            float value[3];
        } traction_value;
        struct {
            piola_traction traction;
            float pressure;
        } traction_pressure;
        struct {
            piola_attachment attachment;
            float target[3];
        } attachment_target;
        struct {
            piola_attachment attachment;
        } attachment_detach;
        struct {
            piola_attachment attachment;
            float value;
        } attachment_number;
        struct {
            piola_collider collider;
            float position[3];
        } collider_move;
        struct {
            piola_collider collider;
            float rotation[4];
        } collider_turn;
        struct {
            piola_collider collider;
            float velocity[3];
        } collider_velocity;
        struct {
            piola_collider collider;
            float angular_velocity[3];
        } collider_spin;
        struct {
            piola_collider collider;
            float value;
        } collider_number;
        struct {
            piola_collider collider;
            float value[2];
        } collider_pair;
        struct {
            piola_collider collider;
            uint64_t category;
            uint64_t mask;
        } collider_filter;
        struct {
            piola_rigid rigid;
            float position[3];
        } rigid_move;
        struct {
            piola_rigid rigid;
            float rotation[4];
        } rigid_turn;
        struct {
            piola_rigid rigid;
            float velocity[3];
        } rigid_velocity;
        struct {
            piola_rigid rigid;
            float angular_velocity[3];
        } rigid_spin;
        struct {
            piola_rigid rigid;
            float impulse[3];
        } rigid_impulse;
        struct {
            piola_rigid rigid;
            float twist[3];
        } rigid_twist;
        struct {
            piola_rigid rigid;
            float force[3];
        } rigid_force;
        struct {
            piola_rigid rigid;
            float value;
        } rigid_number;
        struct {
            piola_rigid rigid;
            float value[2];
        } rigid_pair;
        struct {
            piola_rigid rigid;
            uint64_t category;
            uint64_t mask;
        } rigid_filter;
        struct {
            float dt;
        } world_dt;
        struct {
            uint32_t count;
        } world_count;
        struct {
            float acceleration[3];
        } gravity;
        struct {
            float velocity[3];
        } wind;
        struct {
            float position[3];
        } wind_origin;
        struct {
            float factor;
        } wind_strength;
    } as;
};
struct piola_shape {
    piola_shape_kind kind;
    float size[3];
    float radius;
    const piola_shape_data * data;
};
struct piola_collider_desc {
    uint32_t cookie_;
    piola_shape shape;
    float position[3];
    float rotation[4];
    float velocity[3];
    float angular_velocity[3];
    float margin;
    float friction_static;
    float friction_kinetic;
    float restitution;
    uint64_t category;
    uint64_t mask;
    uint64_t user_data;
    bool sensor;
};
struct piola_collider_info {
    float position[3];
    float rotation[4];
    float velocity[3];
    float angular_velocity[3];
    double force[3];
    double torque[3];
    uint32_t touches;
    uint64_t category;
    uint64_t mask;
    uint64_t user_data;
    float margin;
    float friction_static;
    float friction_kinetic;
    float restitution;
    bool sensor;
};
struct piola_contact_event {
    piola_body body;
    piola_body other;
    piola_collider collider;
    piola_rigid rigid;
    piola_contact_phase phase;
    uint32_t touches;
    double force[3];
};
struct piola_contact_point {
    piola_body body;
    piola_body other;
    piola_collider collider;
    piola_rigid rigid;
    uint32_t vertex;
    float point[3];
    float normal[3];
    float gap;
    float normal_force;
    float tangent_force[3];
};
struct piola_detail_desc {
    uint32_t cookie_;
    const piola_asset * asset;
    const double * vertices;
    const float * normals;
    uint32_t vertex_count;
    piola_detail_mode mode;
};
struct piola_detail_bond {
    uint32_t triangle;
    float barycentric[3];
    float distance;
};
struct piola_detail_stats {
    uint32_t vertices;
    uint32_t triangles;
    uint32_t tetrahedra;
    uint32_t outside;
    float distance;
};
struct piola_element_state {
    float deformation[9];
    float green_strain[6];
    float first_piola[9];
    float cauchy[6];
    float von_mises;
    float volume_ratio;
    float rest_volume;
    float energy;
};
struct piola_io_error {
    piola_io_status status;
    piola_status engine;
    uint64_t line;
    char file[512];
    char text[1200];
};
struct piola_io_allocator {
    void *(*take)(void *context, size_t bytes, size_t alignment);
    void(*give)(void *context, void *memory);
    void * context;
};
struct piola_io_mesh_options {
    uint32_t cookie_;
    bool bends;
    piola_io_allocator allocator;
    double scale[3];
    double offset[3];
};
struct piola_io_format {
    const char * extension;
    const char * what;
    bool reads;
    bool writes;
};
struct piola_io_mesh_arrays {
    const double * vertices;
    const uint32_t * tetrahedra;
    const uint32_t * triangles;
    const uint32_t * bends;
    const uint32_t * links;
    const uint32_t * regions;
    uint32_t vertex_count;
    uint32_t tetrahedron_count;
    uint32_t triangle_count;
    uint32_t bend_count;
    uint32_t link_count;
};
struct piola_io_mesh_facts {
    double low[3];
    double high[3];
    double volume;
    double area;
    double quality_least;
    double quality_mean;
    uint32_t surface_triangles;
    uint32_t parts;
    uint32_t isolated;
    uint32_t inverted;
    bool closed;
};
struct piola_io_box_desc {
    uint32_t cookie_;
    uint32_t cells[3];
    double size[3];
};
struct piola_io_ball_desc {
    uint32_t cookie_;
    uint32_t tetrahedra;
    double radius;
};
struct piola_io_capsule_desc {
    uint32_t cookie_;
    uint32_t tetrahedra;
    double length;
    double radius;
};
struct piola_io_sheet_desc {
    uint32_t cookie_;
    uint32_t cells[2];
    double size[2];
};
struct piola_io_fill_desc {
    uint32_t cookie_;
    uint32_t tetrahedra;
};
struct piola_io_scene_desc {
    uint32_t cookie_;
    piola_io_allocator allocator;
    uint32_t threads;
    uint32_t substeps;
    int32_t iterations;
    int32_t solver;
    piola_isa isa;
    double(*clock)(void);
};
struct piola_io_scene_facts {
    piola_world * world;
    const piola_tasks * tasks;
    const char * description;
    double seconds;
    float dt;
    uint32_t body_count;
    uint32_t collider_count;
    uint32_t attachment_count;
    uint32_t threads;
    size_t world_bytes;
    size_t asset_bytes;
};
struct piola_io_scene_body {
    const char * name;
    uint32_t copy;
    piola_body handle;
    const piola_asset * asset;
};
struct piola_io_scene_collider {
    const char * name;
    piola_collider handle;
};
struct piola_hit {
    piola_body body;
    piola_collider collider;
    piola_rigid rigid;
    uint32_t triangle;
    float weights[3];
    float distance;
    float point[3];
    float normal[3];
};
struct piola_ray {
    uint32_t cookie_;
    float origin[3];
    float direction[3];
    float max_distance;
    uint64_t mask;
    uint32_t targets;
};
struct piola_probe {
    uint32_t cookie_;
    float point[3];
    float radius;
    uint64_t mask;
    uint32_t targets;
};
struct piola_region {
    uint32_t cookie_;
    piola_region_shape shape;
    float position[3];
    float rotation[4];
    float size[3];
    uint64_t mask;
    bool bodies_only;
};
struct piola_overlap {
    piola_body body;
    uint32_t triangle;
};
struct piola_replay {
    uint64_t steps;
    uint64_t step;
    uint64_t hash;
    size_t whole;
    const unsigned char * memory_;
    size_t at_;
    uint64_t seal_;
};
struct piola_rigid_desc {
    uint32_t cookie_;
    piola_shape shape;
    float position[3];
    float rotation[4];
    float velocity[3];
    float angular_velocity[3];
    float mass;
    float inertia[3];
    float gravity_scale;
    float damping;
    float margin;
    float friction_static;
    float friction_kinetic;
    float restitution;
    uint64_t category;
    uint64_t mask;
    uint64_t user_data;
};
struct piola_rigid_info {
    float position[3];
    float rotation[4];
    float velocity[3];
    float angular_velocity[3];
    double mass;
    double inertia[3];
    double force[3];
    double torque[3];
    uint32_t touches;
    uint64_t category;
    uint64_t mask;
    uint64_t user_data;
    float gravity_scale;
    float damping;
    float margin;
    float friction_static;
    float friction_kinetic;
    float restitution;
    bool asleep;
};
struct piola_shape_desc {
    uint32_t cookie_;
    piola_shape_kind kind;
    const double * vertices;
    uint32_t vertex_count;
    const uint32_t * triangles;
    uint32_t triangle_count;
    const float * samples;
    uint32_t sample_count[3];
    float spacing;
    float origin[3];
};
struct piola_shape_stats {
    piola_shape_kind kind;
    uint32_t triangles;
    uint32_t vertices;
    float low[3];
    float high[3];
    float least_margin;
    float steepest;
    double volume;
};
struct piola_error {
    piola_status status;
    const char * field;
    uint64_t item;
    bool has_item;
};
struct piola_traction_desc {
    uint32_t cookie_;
    piola_body body;
    const uint32_t * triangles;
    uint32_t triangle_count;
    float traction[3];
    float pressure;
};
struct piola_traction_info {
    piola_body body;
    uint32_t triangles;
    float traction[3];
    float pressure;
    double area;
    double force[3];
};
struct piola_wind_grid_desc {
    uint32_t cookie_;
    const float * nodes;
    uint32_t count[3];
    float spacing[3];
    float origin[3];
    float strength;
};
struct piola_workers_desc {
    uint32_t cookie_;
    uint32_t threads;
    piola_wait_policy policy;
    bool pin_to_cores;
    bool realtime;
    uint32_t spins;
};
struct piola_world_desc {
    uint32_t cookie_;
    uint32_t max_bodies;
    uint32_t max_assets;
    uint32_t max_particles;
    uint32_t max_packs;
    uint32_t max_attachments;
    uint32_t max_guides;
    uint32_t max_tractions;
    uint32_t max_traction_triangles;
    uint32_t max_link_packs;
    uint32_t max_constraint_packs;
    uint32_t max_plastic_packs;
    uint32_t max_contacts;
    uint32_t max_contact_faces;
    uint32_t max_colliders;
    uint32_t max_face_contacts;
    uint32_t max_rigids;
    uint32_t max_contact_events;
    uint32_t max_wind_nodes;
    uint32_t max_shapes;
    uint32_t max_commands;
    float dt;
    uint32_t substeps;
    uint32_t iterations;
    uint32_t max_substeps;
    uint32_t max_iterations;
    piola_solver solver;
    piola_integrator integrator;
    piola_isa isa;
    float gravity[3];
    float wind[3];
    float air_density;
    float relaxation;
    float chebyshev;
    float contact_thickness;
    float contact_friction;
    float catch_up_speed;
    uint32_t contact_searches;
    uint32_t contact_rounds;
    uint32_t contact_tests;
    bool keep_momentum;
    bool couplings;
    bool coarse_level;
    bool vertex_forces;
    bool sleep;
    float sleep_speed;
    float sleep_time;
    bool report_physics;
    double(*clock)(void);
};
struct piola_contact_work {
    uint64_t searches;
    uint64_t tests;
    uint64_t rounds;
    uint64_t proofs;
    uint64_t pushes;
};
struct piola_body_desc {
    uint32_t cookie_;
    const piola_asset * asset;
    float position[3];
    float rotation[4];
    float velocity[3];
    float angular_velocity[3];
    float acceleration[3];
    float gravity_scale;
    float damping;
    float relative_damping;
    float drag;
    float lift;
    uint64_t category;
    uint64_t mask;
    uint64_t user_data;
    bool self_contact;
    float friction_static;
    float friction_kinetic;
    piola_pressure pressure_kind;
    float pressure;
    float ambient_pressure;
    float volume_scale;
    float volume_compliance;
    piola_untangle untangle;
};
struct piola_body_info {
    uint32_t vertices;
    uint64_t category;
    uint64_t mask;
    uint64_t user_data;
    float damping;
    float relative_damping;
    float gravity_scale;
    float acceleration[3];
    float friction_static;
    float friction_kinetic;
    float drag;
    float lift;
    bool asleep;
    bool frozen;
    double mass;
    double momentum[3];
    double angular_momentum[3];
    double kinetic_energy;
    double centre[3];
    double volume;
    double pressure;
    double pins_behind;
};
struct piola_tasks {
    void * context;
    uint32_t helpers;
    void(*start)(void *context, piola_work *work, void *argument);
    void(*finish)(void *context);
    void(*wait)(void *context, const void *word, uint32_t seen);
    void(*wake)(void *context, const void *word);
};
struct piola_report {
    uint64_t step;
    double time;
    uint32_t bodies;
    uint32_t particles;
    uint32_t commands;
    uint32_t commands_refused;
    uint32_t frozen;
    uint32_t new_frozen;
    uint32_t asleep;
    uint32_t fell_asleep;
    uint32_t woke;
    uint32_t untangling;
    uint32_t stages;
    uint32_t contacts;
    uint32_t contacts_dropped;
    uint32_t contacts_put_off;
    piola_contact_work work;
    uint32_t contact_events;
    uint32_t contact_events_dropped;
    uint32_t face_contacts;
    uint32_t face_contacts_dropped;
    double objective_before;
    double objective;
    double residual;
    float relative_residual;
    piola_body least_converged;
    float max_stretch;
    uint32_t inverted;
    double phase_seconds[PIOLA_PHASE_COUNT];
};
struct piola_sleep_event {
    piola_body body;
    piola_rigid rigid;
    bool asleep;
};
struct piola_difference {
    const char * field;
    uint64_t item;
    uint64_t count;
};
struct piola_capacity {
    const char * name;
    uint64_t capacity;
    uint64_t used;
    uint64_t most;
    uint64_t dropped;
};
struct piola_memory_entry {
    const char * name;
    size_t bytes;
    uint64_t capacity;
    uint64_t used;
    uint64_t most;
    bool state;
};
piola_material piola_material_default(void);
piola_mesh_desc piola_mesh_desc_default(void);
size_t piola_mesh_bends_size(uint32_t triangle_count);
piola_status piola_mesh_bends(const uint32_t * triangles, uint32_t triangle_count, uint32_t * memory, size_t bytes, piola_bends * bends, piola_error * error);
piola_status piola_plan_size(const piola_mesh_desc * mesh, size_t * bytes, piola_error * error);
piola_status piola_asset_plan(const piola_mesh_desc * mesh, void * scratch, size_t bytes, piola_plan ** plan, piola_error * error);
size_t piola_plan_asset_size(const piola_plan * plan);
piola_status piola_asset_build(const piola_plan * plan, const piola_mesh_desc * mesh, void * memory, size_t bytes, const piola_asset ** asset, piola_error * error);
size_t piola_asset_bytes(const piola_asset * asset);
piola_status piola_asset_open(const void * memory, size_t bytes, const piola_asset ** asset, piola_error * error);
uint64_t piola_asset_hash(const piola_asset * asset);
piola_status piola_asset_inspect(const piola_asset * asset, piola_asset_stats * stats);
const uint32_t * piola_asset_surface(const piola_asset * asset, uint32_t * triangle_count);
piola_attachment_desc piola_attachment_desc_default(void);
piola_status piola_attachment_create(piola_world * world, const piola_attachment_desc * desc, piola_attachment * attachment, piola_error * error);
piola_status piola_attachment_destroy(piola_world * world, piola_attachment attachment);
bool piola_attachment_alive(const piola_world * world, piola_attachment attachment);
piola_status piola_world_attachments(const piola_world * world, piola_attachment * attachments, uint32_t capacity, uint32_t * count);
piola_status piola_attachment_inspect(const piola_world * world, piola_attachment attachment, piola_attachment_info * info);
piola_status piola_body_pin(piola_world * world, piola_body body, uint32_t vertex, const float position[3]);
piola_status piola_body_pin_plane(piola_world * world, piola_body body, uint32_t vertex, const float point[3], const float normal[3]);
piola_status piola_body_pin_line(piola_world * world, piola_body body, uint32_t vertex, const float point[3], const float direction[3]);
piola_status piola_body_unpin(piola_world * world, piola_body body, uint32_t vertex);
piola_status piola_body_impulse(piola_world * world, piola_body body, uint32_t vertex, const float impulse[3]);
piola_status piola_body_set_force(piola_world * world, piola_body body, uint32_t vertex, const float force[3]);
piola_status piola_body_set_velocity(piola_world * world, piola_body body, const float velocity[3]);
piola_status piola_body_set_acceleration(piola_world * world, piola_body body, const float acceleration[3]);
piola_status piola_body_set_pressure(piola_world * world, piola_body body, float pressure);
piola_status piola_body_set_damping(piola_world * world, piola_body body, float damping);
piola_status piola_body_set_relative_damping(piola_world * world, piola_body body, float relative_damping);
piola_status piola_body_set_gravity_scale(piola_world * world, piola_body body, float gravity_scale);
piola_status piola_body_set_friction(piola_world * world, piola_body body, float at_rest, float kinetic);
piola_status piola_body_set_air(piola_world * world, piola_body body, float drag, float lift);
piola_status piola_body_set_filter(piola_world * world, piola_body body, uint64_t category, uint64_t mask);
piola_status piola_body_wake(piola_world * world, piola_body body);
piola_status piola_body_set_sleep_speed(piola_world * world, piola_body body, float speed);
piola_status piola_body_thaw(piola_world * world, piola_body body);
piola_status piola_traction_set(piola_world * world, piola_traction traction, const float value[3]);
piola_status piola_traction_set_pressure(piola_world * world, piola_traction traction, float pressure);
piola_status piola_attachment_set_target(piola_world * world, piola_attachment attachment, const float target[3]);
piola_status piola_attachment_set_compliance(piola_world * world, piola_attachment attachment, float compliance);
piola_status piola_attachment_set_damping(piola_world * world, piola_attachment attachment, float damping);
piola_status piola_attachment_detach(piola_world * world, piola_attachment attachment);
piola_status piola_collider_move(piola_world * world, piola_collider collider, const float position[3]);
piola_status piola_collider_turn(piola_world * world, piola_collider collider, const float rotation[4]);
piola_status piola_collider_set_velocity(piola_world * world, piola_collider collider, const float velocity[3]);
piola_status piola_collider_set_angular_velocity(piola_world * world, piola_collider collider, const float angular_velocity[3]);
piola_status piola_collider_set_friction(piola_world * world, piola_collider collider, float at_rest, float kinetic);
piola_status piola_collider_set_restitution(piola_world * world, piola_collider collider, float restitution);
piola_status piola_collider_set_filter(piola_world * world, piola_collider collider, uint64_t category, uint64_t mask);
piola_status piola_rigid_move(piola_world * world, piola_rigid rigid, const float position[3]);
piola_status piola_rigid_turn(piola_world * world, piola_rigid rigid, const float rotation[4]);
piola_status piola_rigid_set_velocity(piola_world * world, piola_rigid rigid, const float velocity[3]);
piola_status piola_rigid_set_angular_velocity(piola_world * world, piola_rigid rigid, const float angular_velocity[3]);
piola_status piola_rigid_impulse(piola_world * world, piola_rigid rigid, const float impulse[3]);
piola_status piola_rigid_twist(piola_world * world, piola_rigid rigid, const float twist[3]);
piola_status piola_rigid_set_force(piola_world * world, piola_rigid rigid, const float force[3]);
piola_status piola_rigid_set_damping(piola_world * world, piola_rigid rigid, float damping);
piola_status piola_rigid_set_gravity_scale(piola_world * world, piola_rigid rigid, float gravity_scale);
piola_status piola_rigid_set_friction(piola_world * world, piola_rigid rigid, float at_rest, float kinetic);
piola_status piola_rigid_set_restitution(piola_world * world, piola_rigid rigid, float restitution);
piola_status piola_rigid_set_filter(piola_world * world, piola_rigid rigid, uint64_t category, uint64_t mask);
piola_status piola_world_set_dt(piola_world * world, float dt);
piola_status piola_world_set_substeps(piola_world * world, uint32_t count);
piola_status piola_world_set_iterations(piola_world * world, uint32_t count);
piola_status piola_world_set_gravity(piola_world * world, const float gravity[3]);
piola_status piola_world_set_wind(piola_world * world, const float wind[3]);
piola_status piola_world_set_wind_origin(piola_world * world, const float origin[3]);
piola_status piola_world_set_wind_strength(piola_world * world, float strength);
piola_status piola_world_drop_commands(piola_world * world, uint32_t * dropped);
piola_status piola_world_push(piola_world * world, const piola_command * command);
piola_collider_desc piola_collider_desc_default(void);
piola_status piola_collider_create(piola_world * world, const piola_collider_desc * desc, piola_collider * collider, piola_error * error);
piola_status piola_collider_destroy(piola_world * world, piola_collider collider);
bool piola_collider_alive(const piola_world * world, piola_collider collider);
piola_status piola_world_colliders(const piola_world * world, piola_collider * colliders, uint32_t capacity, uint32_t * count);
piola_status piola_collider_inspect(const piola_world * world, piola_collider collider, piola_collider_info * info);
piola_status piola_collider_inside(const piola_world * world, piola_collider collider, piola_body body, uint32_t * vertices, float * depth);
piola_status piola_world_contact_events(const piola_world * world, uint32_t first, uint32_t count, piola_contact_event * events, uint32_t * total);
piola_status piola_world_contact_points(const piola_world * world, piola_body body, piola_contact_point * points, uint64_t capacity, uint64_t * count);
piola_status piola_body_contact_forces(const piola_world * world, piola_body body, uint32_t first, uint32_t count, float * xyz);
piola_detail_desc piola_detail_desc_default(void);
piola_status piola_detail_size(const piola_detail_desc * desc, size_t * bytes, size_t * scratch_bytes, piola_error * error);
piola_status piola_detail_build(const piola_detail_desc * desc, void * scratch, size_t scratch_bytes, void * memory, size_t bytes, const piola_detail ** detail, piola_error * error);
piola_status piola_detail_vertex_bond(const piola_detail * detail, uint32_t vertex, piola_detail_bond * bond);
piola_status piola_detail_inspect(const piola_detail * detail, piola_detail_stats * stats);
size_t piola_detail_pose_size(const piola_detail * detail);
piola_status piola_detail_pose_take(const piola_detail * detail, const piola_world * world, piola_body body, void * memory, size_t bytes, const piola_detail_pose ** pose);
piola_status piola_detail_evaluate(const piola_detail * detail, const piola_detail_pose * pose, uint32_t first, uint32_t count, float * positions, float * normals);
piola_status piola_body_tetrahedron_states(const piola_world * world, piola_body body, uint32_t first, uint32_t count, piola_element_state * states);
piola_status piola_body_triangle_states(const piola_world * world, piola_body body, uint32_t first, uint32_t count, piola_element_state * states);
const char * piola_io_status_text(piola_io_status status);
piola_io_mesh_options piola_io_mesh_options_default(void);
uint32_t piola_io_format_count(void);
bool piola_io_format_at(uint32_t index, piola_io_format * format);
piola_io_status piola_io_mesh_read(const char * path, const piola_io_mesh_options * options, piola_io_mesh ** mesh, piola_io_error * error);
piola_io_status piola_io_mesh_parse(const void * data, size_t bytes, const char * name, const piola_io_mesh_options * options, piola_io_mesh ** mesh, piola_io_error * error);
piola_io_status piola_io_mesh_write(const piola_io_mesh * mesh, const char * path, piola_io_error * error);
void piola_io_mesh_free(piola_io_mesh * mesh);
piola_io_mesh_arrays piola_io_mesh_contents(const piola_io_mesh * mesh);
piola_mesh_desc piola_io_mesh_describe(const piola_io_mesh * mesh);
piola_io_status piola_io_mesh_inspect(const piola_io_mesh * mesh, piola_io_mesh_facts * facts, piola_io_error * error);
piola_io_box_desc piola_io_box_desc_default(void);
piola_io_status piola_io_make_box(const piola_io_box_desc * desc, const piola_io_mesh_options * options, piola_io_mesh ** mesh, piola_io_error * error);
piola_io_ball_desc piola_io_ball_desc_default(void);
piola_io_status piola_io_make_ball(const piola_io_ball_desc * desc, const piola_io_mesh_options * options, piola_io_mesh ** mesh, piola_io_error * error);
piola_io_capsule_desc piola_io_capsule_desc_default(void);
piola_io_status piola_io_make_capsule(const piola_io_capsule_desc * desc, const piola_io_mesh_options * options, piola_io_mesh ** mesh, piola_io_error * error);
piola_io_sheet_desc piola_io_sheet_desc_default(void);
piola_io_status piola_io_make_sheet(const piola_io_sheet_desc * desc, const piola_io_mesh_options * options, piola_io_mesh ** mesh, piola_io_error * error);
piola_io_fill_desc piola_io_fill_desc_default(void);
piola_io_status piola_io_mesh_fill(const piola_io_mesh * surface, const piola_io_fill_desc * desc, const piola_io_mesh_options * options, piola_io_mesh ** mesh, bool * skin, piola_io_error * error);
piola_io_status piola_io_asset_make(const piola_mesh_desc * mesh, const piola_io_allocator * allocator, const piola_asset ** asset, piola_io_error * error);
void piola_io_asset_free(const piola_asset * asset, const piola_io_allocator * allocator);
piola_io_scene_desc piola_io_scene_desc_default(void);
piola_io_status piola_io_scene_open(const char * path, const piola_io_scene_desc * desc, piola_io_scene ** scene, piola_io_error * error);
piola_io_status piola_io_scene_parse(const char * text, size_t bytes, const char * path, const piola_io_scene_desc * desc, piola_io_scene ** scene, piola_io_error * error);
void piola_io_scene_close(piola_io_scene * scene);
piola_io_scene_facts piola_io_scene_inspect(const piola_io_scene * scene);
bool piola_io_scene_body_at(const piola_io_scene * scene, uint32_t index, piola_io_scene_body * body);
bool piola_io_scene_body_named(const piola_io_scene * scene, const char * name, uint32_t copy, piola_io_scene_body * body);
bool piola_io_scene_collider_at(const piola_io_scene * scene, uint32_t index, piola_io_scene_collider * collider);
piola_io_status piola_io_scene_push(const piola_io_scene * scene, uint64_t step, piola_io_error * error);
piola_io_status piola_io_scene_step(piola_io_scene * scene, uint64_t step, piola_report * report, piola_io_error * error);
piola_ray piola_ray_default(void);
piola_status piola_world_ray(const piola_world * world, const piola_ray * ray, piola_hit * hit, piola_error * error);
piola_probe piola_probe_default(void);
piola_status piola_world_closest(const piola_world * world, const piola_probe * probe, piola_hit * hit, piola_error * error);
piola_region piola_region_default(void);
piola_status piola_world_overlap(const piola_world * world, const piola_region * region, piola_overlap * found, uint64_t capacity, uint64_t * count, piola_error * error);
piola_status piola_record_begin(piola_world * world, void * memory, size_t bytes);
piola_status piola_record_drain(piola_world * world, void * to, size_t bytes, size_t * moved);
piola_status piola_record_end(piola_world * world, size_t * bytes_used);
piola_status piola_replay_begin(piola_replay * replay, const piola_world * world, const void * memory, size_t bytes, piola_error * error);
piola_status piola_replay_step(piola_replay * replay, piola_world * world, const piola_tasks * tasks, piola_report * report, piola_error * error);
piola_status piola_record_play(piola_world * world, const piola_tasks * tasks, const void * memory, size_t bytes, uint64_t * first_difference, piola_error * error);
piola_rigid_desc piola_rigid_desc_default(void);
piola_status piola_rigid_create(piola_world * world, const piola_rigid_desc * desc, piola_rigid * rigid, piola_error * error);
piola_status piola_rigid_destroy(piola_world * world, piola_rigid rigid);
bool piola_rigid_alive(const piola_world * world, piola_rigid rigid);
piola_status piola_world_rigids(const piola_world * world, piola_rigid * rigids, uint32_t capacity, uint32_t * count);
piola_status piola_rigid_inspect(const piola_world * world, piola_rigid rigid, piola_rigid_info * info);
piola_status piola_rigid_inside(const piola_world * world, piola_rigid rigid, piola_body body, uint32_t * vertices, float * depth);
piola_shape piola_shape_plane(void);
piola_shape piola_shape_sphere(float radius);
piola_shape piola_shape_capsule(float half_length, float radius);
piola_shape piola_shape_box(const float half[3], float radius);
piola_shape piola_shape_of(const piola_shape_data * data);
piola_shape_desc piola_shape_desc_default(void);
piola_status piola_shape_size(const piola_shape_desc * desc, size_t * bytes, size_t * scratch_bytes, piola_error * error);
piola_status piola_shape_compile(const piola_shape_desc * desc, void * scratch, size_t scratch_bytes, void * memory, size_t bytes, const piola_shape_data ** shape, piola_error * error);
piola_status piola_shape_inspect(const piola_shape_data * shape, piola_shape_stats * stats);
size_t piola_shape_bytes(const piola_shape_data * shape);
uint64_t piola_shape_hash(const piola_shape_data * shape);
piola_status piola_shape_distance(const piola_shape_data * shape, const float point[3], float * distance, float normal[3]);
piola_status piola_shape_sample(const piola_shape_data * shape, const float origin[3], float spacing, const uint32_t count[3], float * samples, piola_error * error);
piola_status piola_world_add_shape(piola_world * world, const piola_shape_data * shape);
piola_status piola_world_drop_shape(piola_world * world, const piola_shape_data * shape);
const char * piola_version(void);
const char * piola_status_text(piola_status status);
size_t piola_error_format(const piola_error * error, char * text, size_t bytes);
bool piola_isa_available(piola_isa isa);
const char * piola_isa_name(piola_isa isa);
piola_traction_desc piola_traction_desc_default(void);
piola_status piola_traction_create(piola_world * world, const piola_traction_desc * desc, piola_traction * traction, piola_error * error);
piola_status piola_traction_destroy(piola_world * world, piola_traction traction);
bool piola_traction_alive(const piola_world * world, piola_traction traction);
piola_status piola_traction_inspect(const piola_world * world, piola_traction traction, piola_traction_info * info);
uint32_t piola_asset_surface_region(const piola_asset * asset, const uint8_t * chosen, uint32_t * triangles, uint32_t capacity);
piola_wind_grid_desc piola_wind_grid_desc_default(void);
piola_status piola_world_set_wind_grid(piola_world * world, const piola_wind_grid_desc * desc, piola_error * error);
piola_status piola_world_drop_wind_grid(piola_world * world);
piola_workers_desc piola_workers_desc_default(void);
piola_status piola_workers_size(const piola_workers_desc * desc, size_t * bytes, piola_error * error);
piola_status piola_workers_create(const piola_workers_desc * desc, void * memory, size_t bytes, piola_workers ** workers, piola_error * error);
void piola_workers_destroy(piola_workers * workers);
const piola_tasks * piola_workers_tasks(piola_workers * workers);
uint32_t piola_platform_features(void);
uint32_t piola_workers_features(const piola_workers * workers);
uint32_t piola_platform_harden(void * memory, size_t bytes);
uint32_t piola_platform_lock_process(void);
double piola_platform_seconds(void);
piola_world_desc piola_world_desc_default(void);
piola_status piola_world_desc_fit(piola_world_desc * desc, const piola_asset const ** assets, const uint32_t * counts, uint32_t n, piola_error * error);
piola_status piola_world_size(const piola_world_desc * desc, size_t * bytes, piola_error * error);
piola_status piola_world_bound(const piola_world_desc * desc, piola_contact_work * bound, piola_error * error);
piola_status piola_world_create(const piola_world_desc * desc, void * memory, size_t bytes, piola_world ** world, piola_error * error);
piola_status piola_world_move(const piola_world * world, void * memory, size_t bytes, piola_world ** moved);
piola_status piola_world_destroy(piola_world * world);
piola_isa piola_world_isa(const piola_world * world);
piola_status piola_world_add_asset(piola_world * world, const piola_asset * asset);
piola_status piola_world_drop_asset(piola_world * world, const piola_asset * asset);
piola_body_desc piola_body_desc_default(void);
piola_status piola_body_create(piola_world * world, const piola_body_desc * desc, piola_body * body, piola_error * error);
piola_status piola_body_destroy(piola_world * world, piola_body body);
piola_status piola_world_compact(piola_world * world);
bool piola_body_alive(const piola_world * world, piola_body body);
piola_status piola_world_bodies(const piola_world * world, piola_body * bodies, uint32_t capacity, uint32_t * count);
piola_status piola_body_positions(const piola_world * world, piola_body body, uint32_t first, uint32_t count, float * xyz);
piola_status piola_body_velocities(const piola_world * world, piola_body body, uint32_t first, uint32_t count, float * xyz);
piola_status piola_body_set_positions(piola_world * world, piola_body body, uint32_t first, uint32_t count, const float * xyz, piola_error * error);
piola_status piola_body_set_velocities(piola_world * world, piola_body body, uint32_t first, uint32_t count, const float * xyz, piola_error * error);
piola_status piola_body_bounds(const piola_world * world, piola_body body, float low[3], float high[3]);
piola_status piola_body_forces(const piola_world * world, piola_body body, uint32_t first, uint32_t count, float * xyz);
piola_status piola_body_reactions(piola_world * world, piola_body body, uint32_t first, uint32_t count, float * xyz);
piola_status piola_body_residual(const piola_world * world, piola_body body, double * residual, double * scale);
piola_status piola_body_inspect(const piola_world * world, piola_body body, piola_body_info * info);
piola_status piola_body_elastic_energy(const piola_world * world, piola_body body, double * energy);
const char * piola_phase_name(piola_phase phase);
piola_status piola_world_step(piola_world * world, const piola_tasks * tasks, piola_report * report);
piola_status piola_world_sleep_events(const piola_world * world, piola_sleep_event * events, uint32_t capacity, uint32_t * count);
uint64_t piola_world_hash(const piola_world * world);
size_t piola_snapshot_size(const piola_world * world);
piola_status piola_snapshot_save(const piola_world * world, void * memory, size_t bytes);
piola_status piola_snapshot_restore(piola_world * world, const void * memory, size_t bytes);
piola_status piola_snapshot_compare(const piola_world * world, const void * memory, size_t bytes, piola_difference * difference);
piola_status piola_world_capacity(const piola_world * world, uint32_t index, piola_capacity * capacity);
piola_status piola_world_memory(const piola_world * world, uint32_t index, piola_memory_entry * entry);
"""
LAYOUTS = {'piola_relaxation': {'names': ['share', 'time'], 'formats': ['<f4', '<f4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_material': {'names': ['cookie_', 'model', 'bend_model', 'bend', 'density', 'young', 'poisson', 'young_axis', 'poisson_axis', 'shear_axis', 'stiffness', 'damping', 'mass_damping', 'plastic_yield', 'plastic_creep', 'plastic_max', 'thickness', 'stretch_min', 'stretch_max', 'relaxation'], 'formats': ['<u4', '<i4', '<i4', '<f4', '<f4', '<f4', '<f4', ('<f4', (3,)), ('<f4', (3,)), ('<f4', (3,)), ('<f4', (21,)), '<f4', '<f4', '<f4', '<f4', '<f4', '<f4', '<f4', '<f4', ({'names': ['share', 'time'], 'formats': ['<f4', '<f4'], 'offsets': [0, 4], 'itemsize': 8}, (3,))], 'offsets': [0, 4, 8, 12, 16, 20, 24, 28, 40, 52, 64, 148, 152, 156, 160, 164, 168, 172, 176, 180], 'itemsize': 204}, 'piola_constraint': {'names': ['kind', 'vertices', 'axes', 'least', 'most', 'compliance', 'stiffness'], 'formats': ['<i4', ('<u4', (4,)), ('<f4', (2, 3)), '<f4', '<f4', '<f4', '<f4'], 'offsets': [0, 4, 20, 44, 48, 52, 56], 'itemsize': 60}, 'piola_mesh_desc': {'names': ['cookie_', 'families', 'vertices', 'vertex_count', 'tetrahedra', 'tetrahedron_count', 'tetrahedron_materials', 'tetrahedron_frames', 'triangles', 'triangle_count', 'triangle_materials', 'triangle_patterns', 'triangle_directions', 'bends', 'bend_count', 'bend_materials', 'links', 'link_count', 'link_materials', 'link_lengths', 'link_bounds', 'link_compliances', 'link_dampings', 'tether_anchors', 'tether_anchor_count', 'tether_mode', 'tether_slack', 'constraints', 'constraint_count', 'constraint_order', 'constraint_relaxation', 'materials', 'material_count', 'cluster_limit', 'cluster_size', 'coarse_level', 'coarse_sheets'], 'formats': ['<u4', '<u4', '<u8', '<u4', '<u8', '<u4', '<u8', '<u8', '<u8', '<u4', '<u8', '<u8', '<u8', '<u8', '<u4', '<u8', '<u8', '<u4', '<u8', '<u8', '<u8', '<u8', '<u8', '<u8', '<u4', '<i4', '<f4', '<u8', '<u4', '<i4', '<f4', '<u8', '<u4', '<u4', '<u4', '?', '?'], 'offsets': [0, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168, 176, 184, 188, 192, 200, 208, 212, 216, 224, 232, 236, 240, 244, 245], 'itemsize': 248}, 'piola_bends': {'names': ['bends', 'count', 'boundary_edges', 'crowded_edges', 'crowded', 'reserved'], 'formats': ['<u8', '<u4', '<u4', '<u4', ('<u4', (2,)), '<u4'], 'offsets': [0, 8, 12, 16, 20, 28], 'itemsize': 32}, 'piola_asset_stats': {'names': ['vertices', 'particles', 'tetrahedra', 'triangles', 'bends', 'links', 'tethers', 'limited_triangles', 'constraints', 'constraint_packs', 'link_packs', 'packs', 'plastic_packs', 'surface_triangles', 'clusters', 'vertex_clusters', 'cluster_colours', 'vertex_cluster_colours', 'element_colours', 'vertex_colours', 'fill_elements', 'fill_vertices', 'mass', 'volume', 'enclosed'], 'formats': ['<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<f4', '<f4', '<f8', '<f8', '<f8'], 'offsets': [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 96, 104], 'itemsize': 112}, 'piola_attachment_point': {'names': ['body', 'count', 'vertices', 'weights'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4', ('<u4', (4,)), ('<f4', (4,))], 'offsets': [0, 8, 12, 28], 'itemsize': 44}, 'piola_attachment_desc': {'names': ['cookie_', 'point', 'other', 'target', 'compliance', 'damping'], 'formats': ['<u4', {'names': ['body', 'count', 'vertices', 'weights'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4', ('<u4', (4,)), ('<f4', (4,))], 'offsets': [0, 8, 12, 28], 'itemsize': 44}, {'names': ['body', 'count', 'vertices', 'weights'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4', ('<u4', (4,)), ('<f4', (4,))], 'offsets': [0, 8, 12, 28], 'itemsize': 44}, ('<f4', (3,)), '<f4', '<f4'], 'offsets': [0, 4, 48, 92, 104, 108], 'itemsize': 112}, 'piola_attachment_info': {'names': ['force', 'gap', 'target', 'compliance', 'damping'], 'formats': [('<f4', (3,)), ('<f4', (3,)), ('<f4', (3,)), '<f4', '<f4'], 'offsets': [0, 12, 24, 36, 40], 'itemsize': 44}, 'piola_collider_desc': {'names': ['cookie_', 'shape', 'position', 'rotation', 'velocity', 'angular_velocity', 'margin', 'friction_static', 'friction_kinetic', 'restitution', 'category', 'mask', 'user_data', 'sensor'], 'formats': ['<u4', {'names': ['kind', 'size', 'radius', 'data'], 'formats': ['<i4', ('<f4', (3,)), '<f4', '<u8'], 'offsets': [0, 4, 16, 24], 'itemsize': 32}, ('<f4', (3,)), ('<f4', (4,)), ('<f4', (3,)), ('<f4', (3,)), '<f4', '<f4', '<f4', '<f4', '<u8', '<u8', '<u8', '?'], 'offsets': [0, 8, 40, 52, 68, 80, 92, 96, 100, 104, 112, 120, 128, 136], 'itemsize': 144}, 'piola_collider_info': {'names': ['position', 'rotation', 'velocity', 'angular_velocity', 'force', 'torque', 'touches', 'category', 'mask', 'user_data', 'margin', 'friction_static', 'friction_kinetic', 'restitution', 'sensor'], 'formats': [('<f4', (3,)), ('<f4', (4,)), ('<f4', (3,)), ('<f4', (3,)), ('<f8', (3,)), ('<f8', (3,)), '<u4', '<u8', '<u8', '<u8', '<f4', '<f4', '<f4', '<f4', '?'], 'offsets': [0, 12, 28, 40, 56, 80, 104, 112, 120, 128, 136, 140, 144, 148, 152], 'itemsize': 160}, 'piola_contact_event': {'names': ['body', 'other', 'collider', 'rigid', 'phase', 'touches', 'force'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<i4', '<u4', ('<f8', (3,))], 'offsets': [0, 8, 16, 24, 32, 36, 40], 'itemsize': 64}, 'piola_contact_point': {'names': ['body', 'other', 'collider', 'rigid', 'vertex', 'point', 'normal', 'gap', 'normal_force', 'tangent_force'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4', ('<f4', (3,)), ('<f4', (3,)), '<f4', '<f4', ('<f4', (3,))], 'offsets': [0, 8, 16, 24, 32, 36, 48, 60, 64, 68], 'itemsize': 80}, 'piola_detail_desc': {'names': ['cookie_', 'asset', 'vertices', 'normals', 'vertex_count', 'mode'], 'formats': ['<u4', '<u8', '<u8', '<u8', '<u4', '<i4'], 'offsets': [0, 8, 16, 24, 32, 36], 'itemsize': 40}, 'piola_detail_bond': {'names': ['triangle', 'barycentric', 'distance'], 'formats': ['<u4', ('<f4', (3,)), '<f4'], 'offsets': [0, 4, 16], 'itemsize': 20}, 'piola_detail_stats': {'names': ['vertices', 'triangles', 'tetrahedra', 'outside', 'distance'], 'formats': ['<u4', '<u4', '<u4', '<u4', '<f4'], 'offsets': [0, 4, 8, 12, 16], 'itemsize': 20}, 'piola_element_state': {'names': ['deformation', 'green_strain', 'first_piola', 'cauchy', 'von_mises', 'volume_ratio', 'rest_volume', 'energy'], 'formats': [('<f4', (9,)), ('<f4', (6,)), ('<f4', (9,)), ('<f4', (6,)), '<f4', '<f4', '<f4', '<f4'], 'offsets': [0, 36, 60, 96, 120, 124, 128, 132], 'itemsize': 136}, 'piola_body': {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_attachment': {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_traction': {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_collider': {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_rigid': {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_io_error': {'names': ['status', 'engine', 'line', 'file', 'text'], 'formats': ['<i4', '<i4', '<u8', ('S1', (512,)), ('S1', (1200,))], 'offsets': [0, 4, 8, 16, 528], 'itemsize': 1728}, 'piola_io_allocator': {'names': ['take', 'give', 'context'], 'formats': ['<u8', '<u8', '<u8'], 'offsets': [0, 8, 16], 'itemsize': 24}, 'piola_io_mesh_options': {'names': ['cookie_', 'bends', 'allocator', 'scale', 'offset'], 'formats': ['<u4', '?', {'names': ['take', 'give', 'context'], 'formats': ['<u8', '<u8', '<u8'], 'offsets': [0, 8, 16], 'itemsize': 24}, ('<f8', (3,)), ('<f8', (3,))], 'offsets': [0, 4, 8, 32, 56], 'itemsize': 80}, 'piola_io_format': {'names': ['extension', 'what', 'reads', 'writes'], 'formats': ['<u8', '<u8', '?', '?'], 'offsets': [0, 8, 16, 17], 'itemsize': 24}, 'piola_io_mesh_arrays': {'names': ['vertices', 'tetrahedra', 'triangles', 'bends', 'links', 'regions', 'vertex_count', 'tetrahedron_count', 'triangle_count', 'bend_count', 'link_count'], 'formats': ['<u8', '<u8', '<u8', '<u8', '<u8', '<u8', '<u4', '<u4', '<u4', '<u4', '<u4'], 'offsets': [0, 8, 16, 24, 32, 40, 48, 52, 56, 60, 64], 'itemsize': 72}, 'piola_io_mesh_facts': {'names': ['low', 'high', 'volume', 'area', 'quality_least', 'quality_mean', 'surface_triangles', 'parts', 'isolated', 'inverted', 'closed'], 'formats': [('<f8', (3,)), ('<f8', (3,)), '<f8', '<f8', '<f8', '<f8', '<u4', '<u4', '<u4', '<u4', '?'], 'offsets': [0, 24, 48, 56, 64, 72, 80, 84, 88, 92, 96], 'itemsize': 104}, 'piola_io_box_desc': {'names': ['cookie_', 'cells', 'size'], 'formats': ['<u4', ('<u4', (3,)), ('<f8', (3,))], 'offsets': [0, 4, 16], 'itemsize': 40}, 'piola_io_ball_desc': {'names': ['cookie_', 'tetrahedra', 'radius'], 'formats': ['<u4', '<u4', '<f8'], 'offsets': [0, 4, 8], 'itemsize': 16}, 'piola_io_capsule_desc': {'names': ['cookie_', 'tetrahedra', 'length', 'radius'], 'formats': ['<u4', '<u4', '<f8', '<f8'], 'offsets': [0, 4, 8, 16], 'itemsize': 24}, 'piola_io_sheet_desc': {'names': ['cookie_', 'cells', 'size'], 'formats': ['<u4', ('<u4', (2,)), ('<f8', (2,))], 'offsets': [0, 4, 16], 'itemsize': 32}, 'piola_io_fill_desc': {'names': ['cookie_', 'tetrahedra'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, 'piola_io_scene_desc': {'names': ['cookie_', 'allocator', 'threads', 'substeps', 'iterations', 'solver', 'isa', 'clock'], 'formats': ['<u4', {'names': ['take', 'give', 'context'], 'formats': ['<u8', '<u8', '<u8'], 'offsets': [0, 8, 16], 'itemsize': 24}, '<u4', '<u4', '<i4', '<i4', '<i4', '<u8'], 'offsets': [0, 8, 32, 36, 40, 44, 48, 56], 'itemsize': 64}, 'piola_io_scene_facts': {'names': ['world', 'tasks', 'description', 'seconds', 'dt', 'body_count', 'collider_count', 'attachment_count', 'threads', 'world_bytes', 'asset_bytes'], 'formats': ['<u8', '<u8', '<u8', '<f8', '<f4', '<u4', '<u4', '<u4', '<u4', '<u8', '<u8'], 'offsets': [0, 8, 16, 24, 32, 36, 40, 44, 48, 56, 64], 'itemsize': 72}, 'piola_io_scene_body': {'names': ['name', 'copy', 'handle', 'asset'], 'formats': ['<u8', '<u4', {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u8'], 'offsets': [0, 8, 12, 24], 'itemsize': 32}, 'piola_io_scene_collider': {'names': ['name', 'handle'], 'formats': ['<u8', {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}], 'offsets': [0, 8], 'itemsize': 16}, 'piola_hit': {'names': ['body', 'collider', 'rigid', 'triangle', 'weights', 'distance', 'point', 'normal'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4', ('<f4', (3,)), '<f4', ('<f4', (3,)), ('<f4', (3,))], 'offsets': [0, 8, 16, 24, 28, 40, 44, 56], 'itemsize': 68}, 'piola_ray': {'names': ['cookie_', 'origin', 'direction', 'max_distance', 'mask', 'targets'], 'formats': ['<u4', ('<f4', (3,)), ('<f4', (3,)), '<f4', '<u8', '<u4'], 'offsets': [0, 4, 16, 28, 32, 40], 'itemsize': 48}, 'piola_probe': {'names': ['cookie_', 'point', 'radius', 'mask', 'targets'], 'formats': ['<u4', ('<f4', (3,)), '<f4', '<u8', '<u4'], 'offsets': [0, 4, 16, 24, 32], 'itemsize': 40}, 'piola_region': {'names': ['cookie_', 'shape', 'position', 'rotation', 'size', 'mask', 'bodies_only'], 'formats': ['<u4', '<i4', ('<f4', (3,)), ('<f4', (4,)), ('<f4', (3,)), '<u8', '?'], 'offsets': [0, 4, 8, 20, 36, 48, 56], 'itemsize': 64}, 'piola_overlap': {'names': ['body', 'triangle'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4'], 'offsets': [0, 8], 'itemsize': 12}, 'piola_replay': {'names': ['steps', 'step', 'hash', 'whole', 'memory_', 'at_', 'seal_'], 'formats': ['<u8', '<u8', '<u8', '<u8', '<u8', '<u8', '<u8'], 'offsets': [0, 8, 16, 24, 32, 40, 48], 'itemsize': 56}, 'piola_rigid_desc': {'names': ['cookie_', 'shape', 'position', 'rotation', 'velocity', 'angular_velocity', 'mass', 'inertia', 'gravity_scale', 'damping', 'margin', 'friction_static', 'friction_kinetic', 'restitution', 'category', 'mask', 'user_data'], 'formats': ['<u4', {'names': ['kind', 'size', 'radius', 'data'], 'formats': ['<i4', ('<f4', (3,)), '<f4', '<u8'], 'offsets': [0, 4, 16, 24], 'itemsize': 32}, ('<f4', (3,)), ('<f4', (4,)), ('<f4', (3,)), ('<f4', (3,)), '<f4', ('<f4', (3,)), '<f4', '<f4', '<f4', '<f4', '<f4', '<f4', '<u8', '<u8', '<u8'], 'offsets': [0, 8, 40, 52, 68, 80, 92, 96, 108, 112, 116, 120, 124, 128, 136, 144, 152], 'itemsize': 160}, 'piola_rigid_info': {'names': ['position', 'rotation', 'velocity', 'angular_velocity', 'mass', 'inertia', 'force', 'torque', 'touches', 'category', 'mask', 'user_data', 'gravity_scale', 'damping', 'margin', 'friction_static', 'friction_kinetic', 'restitution', 'asleep'], 'formats': [('<f4', (3,)), ('<f4', (4,)), ('<f4', (3,)), ('<f4', (3,)), '<f8', ('<f8', (3,)), ('<f8', (3,)), ('<f8', (3,)), '<u4', '<u8', '<u8', '<u8', '<f4', '<f4', '<f4', '<f4', '<f4', '<f4', '?'], 'offsets': [0, 12, 28, 40, 56, 64, 88, 112, 136, 144, 152, 160, 168, 172, 176, 180, 184, 188, 192], 'itemsize': 200}, 'piola_shape': {'names': ['kind', 'size', 'radius', 'data'], 'formats': ['<i4', ('<f4', (3,)), '<f4', '<u8'], 'offsets': [0, 4, 16, 24], 'itemsize': 32}, 'piola_shape_desc': {'names': ['cookie_', 'kind', 'vertices', 'vertex_count', 'triangles', 'triangle_count', 'samples', 'sample_count', 'spacing', 'origin'], 'formats': ['<u4', '<i4', '<u8', '<u4', '<u8', '<u4', '<u8', ('<u4', (3,)), '<f4', ('<f4', (3,))], 'offsets': [0, 4, 8, 16, 24, 32, 40, 48, 60, 64], 'itemsize': 80}, 'piola_shape_stats': {'names': ['kind', 'triangles', 'vertices', 'low', 'high', 'least_margin', 'steepest', 'volume'], 'formats': ['<i4', '<u4', '<u4', ('<f4', (3,)), ('<f4', (3,)), '<f4', '<f4', '<f8'], 'offsets': [0, 4, 8, 12, 24, 36, 40, 48], 'itemsize': 56}, 'piola_error': {'names': ['status', 'field', 'item', 'has_item'], 'formats': ['<i4', '<u8', '<u8', '?'], 'offsets': [0, 8, 16, 24], 'itemsize': 32}, 'piola_traction_desc': {'names': ['cookie_', 'body', 'triangles', 'triangle_count', 'traction', 'pressure'], 'formats': ['<u4', {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u8', '<u4', ('<f4', (3,)), '<f4'], 'offsets': [0, 4, 16, 24, 28, 40], 'itemsize': 48}, 'piola_traction_info': {'names': ['body', 'triangles', 'traction', 'pressure', 'area', 'force'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<u4', ('<f4', (3,)), '<f4', '<f8', ('<f8', (3,))], 'offsets': [0, 8, 12, 24, 32, 40], 'itemsize': 64}, 'piola_wind_grid_desc': {'names': ['cookie_', 'nodes', 'count', 'spacing', 'origin', 'strength'], 'formats': ['<u4', '<u8', ('<u4', (3,)), ('<f4', (3,)), ('<f4', (3,)), '<f4'], 'offsets': [0, 8, 16, 28, 40, 52], 'itemsize': 56}, 'piola_workers_desc': {'names': ['cookie_', 'threads', 'policy', 'pin_to_cores', 'realtime', 'spins'], 'formats': ['<u4', '<u4', '<i4', '?', '?', '<u4'], 'offsets': [0, 4, 8, 12, 13, 16], 'itemsize': 20}, 'piola_world_desc': {'names': ['cookie_', 'max_bodies', 'max_assets', 'max_particles', 'max_packs', 'max_attachments', 'max_guides', 'max_tractions', 'max_traction_triangles', 'max_link_packs', 'max_constraint_packs', 'max_plastic_packs', 'max_contacts', 'max_contact_faces', 'max_colliders', 'max_face_contacts', 'max_rigids', 'max_contact_events', 'max_wind_nodes', 'max_shapes', 'max_commands', 'dt', 'substeps', 'iterations', 'max_substeps', 'max_iterations', 'solver', 'integrator', 'isa', 'gravity', 'wind', 'air_density', 'relaxation', 'chebyshev', 'contact_thickness', 'contact_friction', 'catch_up_speed', 'contact_searches', 'contact_rounds', 'contact_tests', 'keep_momentum', 'couplings', 'coarse_level', 'vertex_forces', 'sleep', 'sleep_speed', 'sleep_time', 'report_physics', 'clock'], 'formats': ['<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<f4', '<u4', '<u4', '<u4', '<u4', '<i4', '<i4', '<i4', ('<f4', (3,)), ('<f4', (3,)), '<f4', '<f4', '<f4', '<f4', '<f4', '<f4', '<u4', '<u4', '<u4', '?', '?', '?', '?', '?', '<f4', '<f4', '?', '<u8'], 'offsets': [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 128, 140, 144, 148, 152, 156, 160, 164, 168, 172, 176, 177, 178, 179, 180, 184, 188, 192, 200], 'itemsize': 208}, 'piola_contact_work': {'names': ['searches', 'tests', 'rounds', 'proofs', 'pushes'], 'formats': ['<u8', '<u8', '<u8', '<u8', '<u8'], 'offsets': [0, 8, 16, 24, 32], 'itemsize': 40}, 'piola_body_desc': {'names': ['cookie_', 'asset', 'position', 'rotation', 'velocity', 'angular_velocity', 'acceleration', 'gravity_scale', 'damping', 'relative_damping', 'drag', 'lift', 'category', 'mask', 'user_data', 'self_contact', 'friction_static', 'friction_kinetic', 'pressure_kind', 'pressure', 'ambient_pressure', 'volume_scale', 'volume_compliance', 'untangle'], 'formats': ['<u4', '<u8', ('<f4', (3,)), ('<f4', (4,)), ('<f4', (3,)), ('<f4', (3,)), ('<f4', (3,)), '<f4', '<f4', '<f4', '<f4', '<f4', '<u8', '<u8', '<u8', '?', '<f4', '<f4', '<i4', '<f4', '<f4', '<f4', '<f4', '<i4'], 'offsets': [0, 8, 16, 28, 44, 56, 68, 80, 84, 88, 92, 96, 104, 112, 120, 128, 132, 136, 140, 144, 148, 152, 156, 160], 'itemsize': 168}, 'piola_body_info': {'names': ['vertices', 'category', 'mask', 'user_data', 'damping', 'relative_damping', 'gravity_scale', 'acceleration', 'friction_static', 'friction_kinetic', 'drag', 'lift', 'asleep', 'frozen', 'mass', 'momentum', 'angular_momentum', 'kinetic_energy', 'centre', 'volume', 'pressure', 'pins_behind'], 'formats': ['<u4', '<u8', '<u8', '<u8', '<f4', '<f4', '<f4', ('<f4', (3,)), '<f4', '<f4', '<f4', '<f4', '?', '?', '<f8', ('<f8', (3,)), ('<f8', (3,)), '<f8', ('<f8', (3,)), '<f8', '<f8', '<f8'], 'offsets': [0, 8, 16, 24, 32, 36, 40, 44, 56, 60, 64, 68, 72, 73, 80, 88, 112, 136, 144, 168, 176, 184], 'itemsize': 192}, 'piola_tasks': {'names': ['context', 'helpers', 'start', 'finish', 'wait', 'wake'], 'formats': ['<u8', '<u4', '<u8', '<u8', '<u8', '<u8'], 'offsets': [0, 8, 16, 24, 32, 40], 'itemsize': 48}, 'piola_report': {'names': ['step', 'time', 'bodies', 'particles', 'commands', 'commands_refused', 'frozen', 'new_frozen', 'asleep', 'fell_asleep', 'woke', 'untangling', 'stages', 'contacts', 'contacts_dropped', 'contacts_put_off', 'work', 'contact_events', 'contact_events_dropped', 'face_contacts', 'face_contacts_dropped', 'objective_before', 'objective', 'residual', 'relative_residual', 'least_converged', 'max_stretch', 'inverted', 'phase_seconds'], 'formats': ['<u8', '<f8', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', '<u4', {'names': ['searches', 'tests', 'rounds', 'proofs', 'pushes'], 'formats': ['<u8', '<u8', '<u8', '<u8', '<u8'], 'offsets': [0, 8, 16, 24, 32], 'itemsize': 40}, '<u4', '<u4', '<u4', '<u4', '<f8', '<f8', '<f8', '<f4', {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '<f4', '<u4', ('<f8', (9,))], 'offsets': [0, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 112, 116, 120, 124, 128, 136, 144, 152, 156, 164, 168, 176], 'itemsize': 248}, 'piola_sleep_event': {'names': ['body', 'rigid', 'asleep'], 'formats': [{'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, {'names': ['index', 'generation'], 'formats': ['<u4', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, '?'], 'offsets': [0, 8, 16], 'itemsize': 20}, 'piola_difference': {'names': ['field', 'item', 'count'], 'formats': ['<u8', '<u8', '<u8'], 'offsets': [0, 8, 16], 'itemsize': 24}, 'piola_capacity': {'names': ['name', 'capacity', 'used', 'most', 'dropped'], 'formats': ['<u8', '<u8', '<u8', '<u8', '<u8'], 'offsets': [0, 8, 16, 24, 32], 'itemsize': 40}, 'piola_memory_entry': {'names': ['name', 'bytes', 'capacity', 'used', 'most', 'state'], 'formats': ['<u8', '<u8', '<u8', '<u8', '<u8', '?'], 'offsets': [0, 8, 16, 24, 32, 40], 'itemsize': 48}}
ENUMS = {'piola_model': {'PIOLA_MODEL_STABLE_NEO_HOOKEAN': 0, 'PIOLA_MODEL_STVK': 1, 'PIOLA_MODEL_STVK_ORTHOTROPIC': 2, 'PIOLA_MODEL_STVK_GENERAL': 3, 'PIOLA_MODEL_NEO_HOOKEAN': 4, 'PIOLA_MODEL_COUNT': 5}, 'piola_bend_model': {'PIOLA_BEND_ISOMETRIC': 0, 'PIOLA_BEND_DIHEDRAL': 1, 'PIOLA_BEND_MODEL_COUNT': 2}, 'piola_family': {'PIOLA_FAMILY_PROJECTION': 1, 'PIOLA_FAMILY_DESCENT': 2}, 'piola_tether_mode': {'PIOLA_TETHER_GEODESIC': 0, 'PIOLA_TETHER_EUCLIDEAN': 1, 'PIOLA_TETHER_MODE_COUNT': 2}, 'piola_constraint_kind': {'PIOLA_CONSTRAINT_DISTANCE': 0, 'PIOLA_CONSTRAINT_AREA': 1, 'PIOLA_CONSTRAINT_VOLUME': 2, 'PIOLA_CONSTRAINT_STRETCH': 3, 'PIOLA_CONSTRAINT_SHEAR': 4, 'PIOLA_CONSTRAINT_KIND_COUNT': 5}, 'piola_constraint_order': {'PIOLA_ORDER_SEIDEL': 0, 'PIOLA_ORDER_AVERAGED': 1, 'PIOLA_ORDER_SPLIT': 2, 'PIOLA_ORDER_COUNT': 3}, 'piola_command_kind': {'PIOLA_COMMAND_BODY_PIN': 1, 'PIOLA_COMMAND_BODY_PIN_PLANE': 2, 'PIOLA_COMMAND_BODY_PIN_LINE': 3, 'PIOLA_COMMAND_BODY_UNPIN': 4, 'PIOLA_COMMAND_BODY_IMPULSE': 5, 'PIOLA_COMMAND_BODY_FORCE': 6, 'PIOLA_COMMAND_BODY_VELOCITY': 7, 'PIOLA_COMMAND_BODY_ACCELERATION': 8, 'PIOLA_COMMAND_BODY_PRESSURE': 9, 'PIOLA_COMMAND_BODY_THAW': 10, 'PIOLA_COMMAND_BODY_WAKE': 11, 'PIOLA_COMMAND_BODY_SLEEP_SPEED': 12, 'PIOLA_COMMAND_BODY_DAMPING': 13, 'PIOLA_COMMAND_BODY_RELATIVE_DAMPING': 14, 'PIOLA_COMMAND_BODY_GRAVITY_SCALE': 15, 'PIOLA_COMMAND_BODY_FRICTION': 16, 'PIOLA_COMMAND_BODY_AIR': 17, 'PIOLA_COMMAND_BODY_FILTER': 18, 'PIOLA_COMMAND_TRACTION_VALUE': 19, 'PIOLA_COMMAND_TRACTION_PRESSURE': 20, 'PIOLA_COMMAND_ATTACHMENT_TARGET': 21, 'PIOLA_COMMAND_ATTACHMENT_DETACH': 22, 'PIOLA_COMMAND_ATTACHMENT_COMPLIANCE': 23, 'PIOLA_COMMAND_ATTACHMENT_DAMPING': 24, 'PIOLA_COMMAND_COLLIDER_MOVE': 25, 'PIOLA_COMMAND_COLLIDER_TURN': 26, 'PIOLA_COMMAND_COLLIDER_VELOCITY': 27, 'PIOLA_COMMAND_COLLIDER_SPIN': 28, 'PIOLA_COMMAND_COLLIDER_FRICTION': 29, 'PIOLA_COMMAND_COLLIDER_RESTITUTION': 30, 'PIOLA_COMMAND_COLLIDER_FILTER': 31, 'PIOLA_COMMAND_RIGID_MOVE': 32, 'PIOLA_COMMAND_RIGID_TURN': 33, 'PIOLA_COMMAND_RIGID_VELOCITY': 34, 'PIOLA_COMMAND_RIGID_SPIN': 35, 'PIOLA_COMMAND_RIGID_IMPULSE': 36, 'PIOLA_COMMAND_RIGID_TWIST': 37, 'PIOLA_COMMAND_RIGID_FORCE': 38, 'PIOLA_COMMAND_RIGID_DAMPING': 39, 'PIOLA_COMMAND_RIGID_GRAVITY_SCALE': 40, 'PIOLA_COMMAND_RIGID_FRICTION': 41, 'PIOLA_COMMAND_RIGID_RESTITUTION': 42, 'PIOLA_COMMAND_RIGID_FILTER': 43, 'PIOLA_COMMAND_WORLD_DT': 44, 'PIOLA_COMMAND_WORLD_SUBSTEPS': 45, 'PIOLA_COMMAND_WORLD_ITERATIONS': 46, 'PIOLA_COMMAND_WORLD_GRAVITY': 47, 'PIOLA_COMMAND_WORLD_WIND': 48, 'PIOLA_COMMAND_WORLD_WIND_ORIGIN': 49, 'PIOLA_COMMAND_WORLD_WIND_STRENGTH': 50, 'PIOLA_COMMAND_COUNT': 51}, 'piola_contact_phase': {'PIOLA_CONTACT_BEGIN': 1, 'PIOLA_CONTACT_STAY': 2, 'PIOLA_CONTACT_END': 3}, 'piola_detail_mode': {'PIOLA_DETAIL_SURFACE': 0, 'PIOLA_DETAIL_EMBED': 1, 'PIOLA_DETAIL_MODE_COUNT': 2}, 'piola_io_status': {'PIOLA_IO_OK': 0, 'PIOLA_IO_ERROR_NULL': 1, 'PIOLA_IO_ERROR_COOKIE': 2, 'PIOLA_IO_ERROR_RANGE': 3, 'PIOLA_IO_ERROR_FORMAT': 4, 'PIOLA_IO_ERROR_FILE': 5, 'PIOLA_IO_ERROR_CONTENT': 6, 'PIOLA_IO_ERROR_MEMORY': 7, 'PIOLA_IO_ERROR_ENGINE': 8, 'PIOLA_IO_ERROR_ABSENT': 9, 'PIOLA_IO_STATUS_COUNT': 10}, 'piola_target': {'PIOLA_TARGET_BODIES': 1, 'PIOLA_TARGET_COLLIDERS': 2, 'PIOLA_TARGET_RIGIDS': 4, 'PIOLA_TARGET_SENSORS': 8, 'PIOLA_TARGET_SOLID': 7, 'PIOLA_TARGET_ALL': 15}, 'piola_region_shape': {'PIOLA_REGION_SPHERE': 0, 'PIOLA_REGION_BOX': 1, 'PIOLA_REGION_SHAPE_COUNT': 2}, 'piola_shape_kind': {'PIOLA_SHAPE_PLANE': 0, 'PIOLA_SHAPE_SPHERE': 1, 'PIOLA_SHAPE_CAPSULE': 2, 'PIOLA_SHAPE_BOX': 3, 'PIOLA_SHAPE_HULL': 4, 'PIOLA_SHAPE_MESH': 5, 'PIOLA_SHAPE_WALL': 6, 'PIOLA_SHAPE_HEIGHTS': 7, 'PIOLA_SHAPE_DISTANCES': 8, 'PIOLA_SHAPE_KIND_COUNT': 9}, 'piola_status': {'PIOLA_OK': 0, 'PIOLA_ERROR_NULL': 1, 'PIOLA_ERROR_COOKIE': 2, 'PIOLA_ERROR_RANGE': 3, 'PIOLA_ERROR_NOT_FINITE': 4, 'PIOLA_ERROR_TOO_LARGE': 5, 'PIOLA_ERROR_ALIGNMENT': 6, 'PIOLA_ERROR_MEMORY': 7, 'PIOLA_ERROR_STALE': 8, 'PIOLA_ERROR_ISA': 9, 'PIOLA_ERROR_ARITHMETIC': 10, 'PIOLA_ERROR_BODIES_FULL': 11, 'PIOLA_ERROR_PARTICLES_FULL': 12, 'PIOLA_ERROR_PACKS_FULL': 13, 'PIOLA_ERROR_HOLES': 14, 'PIOLA_ERROR_ASSETS_FULL': 15, 'PIOLA_ERROR_ATTACHMENTS_FULL': 16, 'PIOLA_ERROR_TRACTIONS_FULL': 17, 'PIOLA_ERROR_CONSTRAINTS_FULL': 18, 'PIOLA_ERROR_CONTACTS_FULL': 19, 'PIOLA_ERROR_COLLIDERS_FULL': 20, 'PIOLA_ERROR_RIGIDS_FULL': 21, 'PIOLA_ERROR_SHAPES_FULL': 22, 'PIOLA_ERROR_WIND_FULL': 23, 'PIOLA_ERROR_COMMANDS_FULL': 24, 'PIOLA_ERROR_SOLVER': 25, 'PIOLA_ERROR_FAMILY': 26, 'PIOLA_ERROR_ASSET_IN_USE': 27, 'PIOLA_ERROR_SHAPE_IN_USE': 28, 'PIOLA_ERROR_RECORDING': 29, 'PIOLA_ERROR_THREADS': 30, 'PIOLA_ERROR_MESH_EMPTY': 31, 'PIOLA_ERROR_MESH_INDEX': 32, 'PIOLA_ERROR_MESH_REPEATED': 33, 'PIOLA_ERROR_MESH_DEGENERATE': 34, 'PIOLA_ERROR_MESH_INVERTED': 35, 'PIOLA_ERROR_MESH_DUPLICATE': 36, 'PIOLA_ERROR_MESH_ISOLATED': 37, 'PIOLA_ERROR_COLOURS': 38, 'PIOLA_ERROR_MESH_MATERIAL': 39, 'PIOLA_ERROR_MESH_FRAME': 40, 'PIOLA_ERROR_MESH_OPEN': 41, 'PIOLA_ERROR_MATERIAL': 42, 'PIOLA_ERROR_DETAIL_FAR': 43, 'PIOLA_ERROR_BLOB_TRUNCATED': 44, 'PIOLA_ERROR_BLOB_MAGIC': 45, 'PIOLA_ERROR_BLOB_VERSION': 46, 'PIOLA_ERROR_BLOB_CHECKSUM': 47, 'PIOLA_ERROR_BLOB_CORRUPT': 48, 'PIOLA_ERROR_SNAPSHOT_FORMAT': 49, 'PIOLA_ERROR_SNAPSHOT_WORLD': 50, 'PIOLA_ERROR_RECORD_FULL': 51, 'PIOLA_ERROR_RECORD_FORMAT': 52, 'PIOLA_ERROR_RECORD_DAMAGED': 53, 'PIOLA_STATUS_COUNT': 54}, 'piola_isa': {'PIOLA_ISA_AUTO': 0, 'PIOLA_ISA_SSE4': 1, 'PIOLA_ISA_AVX2': 2, 'PIOLA_ISA_AVX512': 3, 'PIOLA_ISA_NEON': 4, 'PIOLA_ISA_COUNT': 5}, 'piola_wait_policy': {'PIOLA_WAIT_SPIN': 0, 'PIOLA_WAIT_YIELD': 1, 'PIOLA_WAIT_SLEEP': 2, 'PIOLA_WAIT_COUNT': 3}, 'piola_feature': {'PIOLA_FEATURE_THREADS': 1, 'PIOLA_FEATURE_AFFINITY': 2, 'PIOLA_FEATURE_REALTIME': 4, 'PIOLA_FEATURE_LOCK_MEMORY': 8, 'PIOLA_FEATURE_HUGE_PAGES': 16, 'PIOLA_FEATURE_FUTEX': 32}, 'piola_solver': {'PIOLA_SOLVER_DESCENT': 0, 'PIOLA_SOLVER_ENERGY': 1, 'PIOLA_SOLVER_COMPLIANT': 2, 'PIOLA_SOLVER_EXPLICIT': 3, 'PIOLA_SOLVER_COUNT': 4}, 'piola_integrator': {'PIOLA_INTEGRATOR_EULER': 0, 'PIOLA_INTEGRATOR_BDF2': 1, 'PIOLA_INTEGRATOR_COUNT': 2}, 'piola_untangle': {'PIOLA_UNTANGLE_SOLIDS': 0, 'PIOLA_UNTANGLE_ALL': 1, 'PIOLA_UNTANGLE_NONE': 2, 'PIOLA_UNTANGLE_COUNT': 3}, 'piola_pressure': {'PIOLA_PRESSURE_NONE': 0, 'PIOLA_PRESSURE_GAUGE': 1, 'PIOLA_PRESSURE_GAS': 2, 'PIOLA_PRESSURE_VOLUME': 3, 'PIOLA_PRESSURE_COUNT': 4}, 'piola_phase': {'PIOLA_PHASE_BEGIN': 0, 'PIOLA_PHASE_PREDICT': 1, 'PIOLA_PHASE_FIND': 2, 'PIOLA_PHASE_ELEMENTS': 3, 'PIOLA_PHASE_CONSTRAINTS': 4, 'PIOLA_PHASE_LIMIT': 5, 'PIOLA_PHASE_FINISH': 6, 'PIOLA_PHASE_MEASURE': 7, 'PIOLA_PHASE_END': 8, 'PIOLA_PHASE_COUNT': 9}}
ffi, lib = bind(DECLARATIONS, LAYOUTS, ENUMS, INTERFACE)


class WorldCalls:
    def attachments(self):
        r"""Handles of all attachments, as piola_world_bodies."""
        return listed(lib.piola_world_attachments, self, 'piola_attachment', 'world.attachments')

    def set_dt(self, dt):
        r"""Sets how long steps are from this one on (s, 1e-6 to 1): give it before each step where frames differ. Pins
        and colliders arrive by the end of the step, however long it is. All that sleeps wakes when it changes, and
        BDF2 goes on from there as Euler does, for a substep."""
        check(lib.piola_world_set_dt(self._world, number(dt, 'float')), 'world.set_dt')

    def set_substeps(self, count):
        r"""Sets the substeps of a step, from this one on: 1 to piola_world_desc.max_substeps, else the command is
        refused. PIOLA_ERROR_RANGE above 1000."""
        check(lib.piola_world_set_substeps(self._world, number(count, 'uint32_t')), 'world.set_substeps')

    def set_iterations(self, count):
        r"""Likewise the iterations of a substep: 0 to piola_world_desc.max_iterations."""
        check(lib.piola_world_set_iterations(self._world, number(count, 'uint32_t')), 'world.set_iterations')

    def set_gravity(self, gravity):
        r"""Sets the world's gravity (m/s^2). (gravity: m/s^2)"""
        check(lib.piola_world_set_gravity(self._world, vector(gravity, 3, 'gravity')), 'world.set_gravity')

    def set_wind(self, wind):
        r"""Sets the wind that blows everywhere (m/s)."""
        check(lib.piola_world_set_wind(self._world, vector(wind, 3, 'wind')), 'world.set_wind')

    def set_wind_origin(self, origin):
        r"""Carries the grid of winds: its first node stands at a position (m) from this step on; refused without a
        grid."""
        check(lib.piola_world_set_wind_origin(self._world, vector(origin, 3, 'origin')), 'world.set_wind_origin')

    def set_wind_strength(self, strength):
        r"""Sets the factor on the velocities of that grid; likewise."""
        check(lib.piola_world_set_wind_strength(self._world, number(strength, 'float')), 'world.set_wind_strength')

    def drop_commands(self):
        r"""Between steps only: forgets all commands that wait, and says how many (`dropped` may be null); one that
        another thread gives meanwhile may stay. After restoring a snapshot, for who wants nothing of the future
        that is gone."""
        dropped_ = ffi.new('uint32_t[1]')
        check(lib.piola_world_drop_commands(self._world, dropped_), 'world.drop_commands')
        return result(dropped_, 'uint32_t', 0)

    def colliders(self):
        r"""Handles of all colliders, as piola_world_bodies."""
        return listed(lib.piola_world_colliders, self, 'piola_collider', 'world.colliders')

    def rigids(self):
        r"""Handles of all rigid bodies, as piola_world_bodies."""
        return listed(lib.piola_world_rigids, self, 'piola_rigid', 'world.rigids')

    def drop_wind_grid(self):
        r"""Between steps only. The uniform wind alone blows again; fine when there is no grid."""
        check(lib.piola_world_drop_wind_grid(self._world), 'world.drop_wind_grid')

    def compact(self):
        r"""Between steps only. Closes the holes that destroyed bodies have left: bodies move together in the block, in
        time that grows with all of them. Handles stay, and each body goes on with the same bits as without; but the
        hash of the world also covers where bodies lie, and changes."""
        check(lib.piola_world_compact(self._world), 'world.compact')

    def bodies(self):
        r"""Handles of all bodies, by rising index: the first `capacity` of them to `bodies` (null when that is 0);
        `count` is how many there are. Colliders, rigid bodies and attachments have the same."""
        return listed(lib.piola_world_bodies, self, 'piola_body', 'world.bodies')

    def sleep_events(self):
        r"""What fell asleep or woke in the last step, bodies first, by rising index: the first `capacity` of them to
        `events` (null when that is 0); `count` is how many there are."""
        return listed(lib.piola_world_sleep_events, self, 'piola_sleep_event', 'world.sleep_events')

    def hash(self):
        r"""A number of the whole state: equal states of the same assets give equal numbers on every machine. Handles
        are no part of it: a world that went back to a snapshot and one that did not agree."""
        return lib.piola_world_hash(self._world)


class BodyCalls:
    def pin(self, vertex, position):
        r"""Holds a vertex (in the description's order) at a position (m) from the end of the step on; repeated each
        step it is a moving target. Where surfaces leave no room, all pins of the body wait together, and go on to
        their targets as one when there is room, however long that takes: piola_world_desc.catch_up_speed,
        piola_body_info.pins_behind. (position: m)"""
        check(lib.piola_body_pin(self._world, self._handle, number(vertex, 'uint32_t'), vector(position, 3, 'position')), 'body.pin')

    def pin_plane(self, vertex, point, normal):
        r"""Holds a vertex in the plane through a point (m) from the end of the step on: a roller, a symmetry plane. It
        moves in the plane without friction. The normal may have any length from 1e-6 on; piola_body_unpin lets the
        vertex go, piola_body_pin holds it whole. Repeated each step it is a moving plane. A command for which
        piola_world_desc.max_guides leaves no room is refused. (point: m)"""
        check(lib.piola_body_pin_plane(self._world, self._handle, number(vertex, 'uint32_t'), vector(point, 3, 'point'), vector(normal, 3, 'normal')), 'body.pin_plane')

    def pin_line(self, vertex, point, direction):
        r"""The same on the line through a point along a direction."""
        check(lib.piola_body_pin_line(self._world, self._handle, number(vertex, 'uint32_t'), vector(point, 3, 'point'), vector(direction, 3, 'direction')), 'body.pin_line')

    def unpin(self, vertex):
        r"""Lets a vertex go."""
        check(lib.piola_body_unpin(self._world, self._handle, number(vertex, 'uint32_t')), 'body.unpin')

    def impulse(self, vertex, impulse):
        r"""Adds to a vertex's momentum (N s)."""
        check(lib.piola_body_impulse(self._world, self._handle, number(vertex, 'uint32_t'), vector(impulse, 3, 'impulse')), 'body.impulse')

    def set_force(self, vertex, force):
        r"""Pulls at a vertex, or at each with PIOLA_EVERY_VERTEX, with a force (N) until told otherwise. Refused in a
        world without vertex_forces. (force: N)"""
        check(lib.piola_body_set_force(self._world, self._handle, number(vertex, 'uint32_t'), vector(force, 3, 'force')), 'body.set_force')

    def set_velocity(self, velocity):
        r"""Sets the velocity of all free vertices of a body (m/s). (body: m/s)"""
        check(lib.piola_body_set_velocity(self._world, self._handle, vector(velocity, 3, 'velocity')), 'body.set_velocity')

    def set_acceleration(self, acceleration):
        r"""Sets the body's own force field (m/s^2)."""
        check(lib.piola_body_set_acceleration(self._world, self._handle, vector(acceleration, 3, 'acceleration')), 'body.set_acceleration')

    def set_pressure(self, pressure):
        r"""Sets a body's pressure (Pa), or the volume (m^3) that it holds: see piola_pressure. (pressure: Pa)"""
        check(lib.piola_body_set_pressure(self._world, self._handle, number(pressure, 'float')), 'body.set_pressure')

    def set_damping(self, damping):
        r"""Sets a body's damping (1/s, 0 to 1e9) and the factor on the world's gravity, as piola_body_desc has them.
        What is set here and below is state, and piola_body_inspect and its kin tell it. (damping: 1/s)"""
        check(lib.piola_body_set_damping(self._world, self._handle, number(damping, 'float')), 'body.set_damping')

    def set_relative_damping(self, relative_damping):
        r"""Likewise."""
        check(lib.piola_body_set_relative_damping(self._world, self._handle, number(relative_damping, 'float')), 'body.set_relative_damping')

    def set_gravity_scale(self, gravity_scale):
        r"""Likewise."""
        check(lib.piola_body_set_gravity_scale(self._world, self._handle, number(gravity_scale, 'float')), 'body.set_gravity_scale')

    def set_friction(self, at_rest, kinetic):
        r"""Sets its friction, 0 to 10, kinetic at most at_rest; both below 0: none, as of piola_body_desc."""
        check(lib.piola_body_set_friction(self._world, self._handle, number(at_rest, 'float'), number(kinetic, 'float')), 'body.set_friction')

    def set_air(self, drag, lift):
        r"""Sets the coefficients of its cloth in the air, 0 to 1e4. Refused in a world without air, and for an asset
        without PIOLA_FAMILY_PROJECTION."""
        check(lib.piola_body_set_air(self._world, self._handle, number(drag, 'float'), number(lift, 'float')), 'body.set_air')

    def set_filter(self, category, mask):
        r"""Sets whom it meets: see piola_body_desc.category."""
        check(lib.piola_body_set_filter(self._world, self._handle, number(category, 'uint64_t'), number(mask, 'uint64_t')), 'body.set_filter')

    def wake(self):
        r"""Wakes a body that sleeps, and with it all that touches it or is tied to it: so does any command of the body."""
        check(lib.piola_body_wake(self._world, self._handle), 'body.wake')

    def set_sleep_speed(self, speed):
        r"""Sets the speed (m/s) below which it may fall asleep; 0: it never does; below 0 (default):
        piola_world_desc.sleep_speed. Refused in a world in which nobody sleeps. (speed: m/s)"""
        check(lib.piola_body_set_sleep_speed(self._world, self._handle, number(speed, 'float')), 'body.set_sleep_speed')

    def thaw(self):
        r"""Lets a frozen body move again."""
        check(lib.piola_body_thaw(self._world, self._handle), 'body.thaw')

    def contact_forces(self, first=0, count=None, out=None):
        r"""Copies the forces (N) of contact on vertices first .. first+count-1 in the last substep, 3 floats each: of
        colliders, and, with max_contact_events above 0, of surfaces. None after bodies or colliders were created or
        destroyed. (xyz: N)"""
        return rows(lib.piola_body_contact_forces, self, '<f4', 3, first, count, self._vertices(), out, 'body.contact_forces')

    def tetrahedron_states(self, first=0, count=None, out=None):
        r"""Copies the states of tetrahedra first .. first+count-1, in the description's order. Looks through the
        numbers of all of the body's elements, and evaluates those asked for: ask for many at once.
        PIOLA_ERROR_FAMILY: the asset was compiled without PIOLA_FAMILY_PROJECTION."""
        return rows(lib.piola_body_tetrahedron_states, self, LAYOUTS['piola_element_state'], 0, first, count, self._tetrahedra(), out, 'body.tetrahedron_states')

    def triangle_states(self, first=0, count=None, out=None):
        r"""The same of triangles of cloth. Their stresses are in Pa where the material has a thickness, as if that
        stayed what it is at rest; where it has none they are per length, N/m."""
        return rows(lib.piola_body_triangle_states, self, LAYOUTS['piola_element_state'], 0, first, count, self._triangles(), out, 'body.triangle_states')

    def destroy(self):
        r"""Between steps only. Attachments to it end; its asset stays known to the world. Time grows with the body's
        size; of one that is attached, or touches others, also with the number of all attachments or all contacts."""
        check(lib.piola_body_destroy(self._world, self._handle), 'body.destroy')

    def alive(self):
        r"""False once it was destroyed."""
        return lib.piola_body_alive(self._world, self._handle)

    def positions(self, first=0, count=None, out=None):
        r"""Copies positions (m) of vertices first .. first+count-1, in the description's order, 3 floats each, out of
        the body. Between steps only. (xyz: m)"""
        return rows(lib.piola_body_positions, self, '<f4', 3, first, count, self._vertices(), out, 'body.positions')

    def velocities(self, first=0, count=None, out=None):
        r"""The same of velocities (m/s). (xyz: m/s)"""
        return rows(lib.piola_body_velocities, self, '<f4', 3, first, count, self._vertices(), out, 'body.velocities')

    def set_positions(self, xyz, first=0):
        r"""Copies positions (m) into the body. Between steps only. Values are finite and from -1e9 to 1e9; the item of
        an error is the first vertex of which one is not, and then nothing changes. (xyz: m)"""
        given(lib.piola_body_set_positions, self, xyz, first, True, 'body.set_positions')

    def set_velocities(self, xyz, first=0):
        r"""The same of velocities (m/s). (xyz: m/s)"""
        given(lib.piola_body_set_velocities, self, xyz, first, True, 'body.set_velocities')

    def bounds(self):
        r"""The box along the axes that holds all vertices of the body (m), now. (body: m)"""
        low_ = ffi.new('float[3]')
        high_ = ffi.new('float[3]')
        check(lib.piola_body_bounds(self._world, self._handle, low_, high_), 'body.bounds')
        return result(low_, 'float', 3), result(high_, 'float', 3)

    def forces(self, first=0, count=None, out=None):
        r"""The forces (N) that piola_body_set_force has set, likewise. (xyz: N)"""
        return rows(lib.piola_body_forces, self, '<f4', 3, first, count, self._vertices(), out, 'body.forces')

    def reactions(self, first=0, count=None, out=None):
        r"""What pins push with (N), likewise; 0 at vertices that are free, and in the directions in which
        piola_body_pin_plane and piola_body_pin_line leave them so. At rest they sum to what the body weighs and
        carries; the inertia of a pinned vertex itself is left out, and so is what hangs on links, tethers and
        bounds of stretch. DESCENT and COMPLIANT alone balance forces. As of the last step; needs report_physics,
        else PIOLA_ERROR_RANGE. Computes in the world's own scratch memory, so not while another thread reads the
        world. (xyz: N)"""
        return rows(lib.piola_body_reactions, self, '<f4', 3, first, count, self._vertices(), out, 'body.reactions')

    def residual(self):
        r"""The body's largest force imbalance of a free vertex that touches no collider, and the largest force there
        that has to be balanced (N), as in piola_report; likewise needs report_physics."""
        residual_ = ffi.new('double[1]')
        scale_ = ffi.new('double[1]')
        check(lib.piola_body_residual(self._world, self._handle, residual_, scale_), 'body.residual')
        return result(residual_, 'double', 0), result(scale_, 'double', 0)

    def inspect(self):
        r"""Sums in double precision over the body's state; the same bits everywhere."""
        info_ = ffi.new('piola_body_info[1]')
        check(lib.piola_body_inspect(self._world, self._handle, info_), 'body.inspect')
        return result(info_, 'piola_body_info', 0)

    def elastic_energy(self):
        r"""What the body's elements and bends hold (J), without what plastic flow has used up; limits, links and
        attachments hold nothing. Single precision: what a part of the body has beyond 3.4e38 J counts as that. The
        same bits everywhere."""
        energy_ = ffi.new('double[1]')
        check(lib.piola_body_elastic_energy(self._world, self._handle, energy_), 'body.elastic_energy')
        return result(energy_, 'double', 0)


class ColliderCalls:
    def move(self, position):
        r"""Carries a collider to a position (m) by the end of the step; where surface contact leaves no room it waits:
        docs/method/surface.md. (position: m)"""
        check(lib.piola_collider_move(self._world, self._handle, vector(position, 3, 'position')), 'collider.move')

    def turn(self, rotation):
        r"""Turns a collider to a rotation (unit quaternion x, y, z, w) by the end of the step, the shorter way round.
        PIOLA_ERROR_RANGE when its length is not 1 within 0.01."""
        check(lib.piola_collider_turn(self._world, self._handle, vector(rotation, 4, 'rotation')), 'collider.turn')

    def set_velocity(self, velocity):
        r"""Sets a collider's velocity (m/s). (velocity: m/s)"""
        check(lib.piola_collider_set_velocity(self._world, self._handle, vector(velocity, 3, 'velocity')), 'collider.set_velocity')

    def set_angular_velocity(self, angular_velocity):
        r"""Sets its angular velocity (rad/s), in the world's axes."""
        check(lib.piola_collider_set_angular_velocity(self._world, self._handle, vector(angular_velocity, 3, 'angular_velocity')), 'collider.set_angular_velocity')

    def set_friction(self, at_rest, kinetic):
        r"""Sets its friction, as of a body."""
        check(lib.piola_collider_set_friction(self._world, self._handle, number(at_rest, 'float'), number(kinetic, 'float')), 'collider.set_friction')

    def set_restitution(self, restitution):
        r"""Sets its restitution, 0 to 1."""
        check(lib.piola_collider_set_restitution(self._world, self._handle, number(restitution, 'float')), 'collider.set_restitution')

    def set_filter(self, category, mask):
        r"""Sets whom it meets."""
        check(lib.piola_collider_set_filter(self._world, self._handle, number(category, 'uint64_t'), number(mask, 'uint64_t')), 'collider.set_filter')

    def destroy(self):
        r"""Between steps only. Its compiled shape stays known to the world."""
        check(lib.piola_collider_destroy(self._world, self._handle), 'collider.destroy')

    def alive(self):
        r"""False once it was destroyed."""
        return lib.piola_collider_alive(self._world, self._handle)

    def inspect(self):
        r"""The force is what the solver balanced: the residual of the touching vertices with DESCENT, their corrections
        times mass / dt^2 with the projection solvers."""
        info_ = ffi.new('piola_collider_info[1]')
        check(lib.piola_collider_inspect(self._world, self._handle, info_), 'collider.inspect')
        return result(info_, 'piola_collider_info', 0)

    def inside(self, body):
        r"""How many of the body's vertices are inside the collider now, its margin counted, and how deep the deepest of
        those that no pin holds is (m; 0: none). A body that begins so is let out at 1 m/s. None is where the two do
        not meet by their categories. Between steps only."""
        vertices_ = ffi.new('uint32_t[1]')
        depth_ = ffi.new('float[1]')
        check(lib.piola_collider_inside(self._world, self._handle, body._handle, vertices_, depth_), 'collider.inside')
        return result(vertices_, 'uint32_t', 0), result(depth_, 'float', 0)


class RigidCalls:
    def move(self, position):
        r"""Carries a rigid body to a position (m) by the end of the step, as a collider; let go it flies on as it was
        carried. (position: m)"""
        check(lib.piola_rigid_move(self._world, self._handle, vector(position, 3, 'position')), 'rigid.move')

    def turn(self, rotation):
        r"""Turns it to a rotation (unit quaternion x, y, z, w) by the end of the step, likewise."""
        check(lib.piola_rigid_turn(self._world, self._handle, vector(rotation, 4, 'rotation')), 'rigid.turn')

    def set_velocity(self, velocity):
        r"""Sets its velocity (m/s). (velocity: m/s)"""
        check(lib.piola_rigid_set_velocity(self._world, self._handle, vector(velocity, 3, 'velocity')), 'rigid.set_velocity')

    def set_angular_velocity(self, angular_velocity):
        r"""Sets its angular velocity (rad/s), in the world's axes."""
        check(lib.piola_rigid_set_angular_velocity(self._world, self._handle, vector(angular_velocity, 3, 'angular_velocity')), 'rigid.set_angular_velocity')

    def impulse(self, impulse):
        r"""Adds to its momentum (N s)."""
        check(lib.piola_rigid_impulse(self._world, self._handle, vector(impulse, 3, 'impulse')), 'rigid.impulse')

    def twist(self, twist):
        r"""Adds to its angular momentum (N m s)."""
        check(lib.piola_rigid_twist(self._world, self._handle, vector(twist, 3, 'twist')), 'rigid.twist')

    def set_force(self, force):
        r"""Pulls at its middle (N) until told otherwise. (force: N)"""
        check(lib.piola_rigid_set_force(self._world, self._handle, vector(force, 3, 'force')), 'rigid.set_force')

    def set_damping(self, damping):
        r"""Sets its damping (1/s, 0 to 1e6). (damping: 1/s)"""
        check(lib.piola_rigid_set_damping(self._world, self._handle, number(damping, 'float')), 'rigid.set_damping')

    def set_gravity_scale(self, gravity_scale):
        r"""Sets the factor on the world's gravity, -1e6 to 1e6."""
        check(lib.piola_rigid_set_gravity_scale(self._world, self._handle, number(gravity_scale, 'float')), 'rigid.set_gravity_scale')

    def set_friction(self, at_rest, kinetic):
        r"""Sets friction, restitution and whom it meets, as of a collider."""
        check(lib.piola_rigid_set_friction(self._world, self._handle, number(at_rest, 'float'), number(kinetic, 'float')), 'rigid.set_friction')

    def set_restitution(self, restitution):
        r"""Likewise."""
        check(lib.piola_rigid_set_restitution(self._world, self._handle, number(restitution, 'float')), 'rigid.set_restitution')

    def set_filter(self, category, mask):
        r"""Likewise."""
        check(lib.piola_rigid_set_filter(self._world, self._handle, number(category, 'uint64_t'), number(mask, 'uint64_t')), 'rigid.set_filter')

    def destroy(self):
        r"""Between steps only. Its shape's data stays known to the world."""
        check(lib.piola_rigid_destroy(self._world, self._handle), 'rigid.destroy')

    def alive(self):
        r"""False once it was destroyed."""
        return lib.piola_rigid_alive(self._world, self._handle)

    def inspect(self):
        r"""The force is what the solver balanced, as of piola_collider_info."""
        info_ = ffi.new('piola_rigid_info[1]')
        check(lib.piola_rigid_inspect(self._world, self._handle, info_), 'rigid.inspect')
        return result(info_, 'piola_rigid_info', 0)

    def inside(self, body):
        r"""As piola_collider_inside."""
        vertices_ = ffi.new('uint32_t[1]')
        depth_ = ffi.new('float[1]')
        check(lib.piola_rigid_inside(self._world, self._handle, body._handle, vertices_, depth_), 'rigid.inside')
        return result(vertices_, 'uint32_t', 0), result(depth_, 'float', 0)


class AttachmentCalls:
    def destroy(self):
        r"""Between steps only; during one: piola_attachment_detach."""
        check(lib.piola_attachment_destroy(self._world, self._handle), 'attachment.destroy')

    def alive(self):
        r"""False once it was destroyed, detached or has lost a body."""
        return lib.piola_attachment_alive(self._world, self._handle)

    def inspect(self):
        r"""Force and gap as the last step left them. Between steps only."""
        info_ = ffi.new('piola_attachment_info[1]')
        check(lib.piola_attachment_inspect(self._world, self._handle, info_), 'attachment.inspect')
        return result(info_, 'piola_attachment_info', 0)

    def set_target(self, target):
        r"""Moves an attachment's target (m) in the course of the step. (target: m)"""
        check(lib.piola_attachment_set_target(self._world, self._handle, vector(target, 3, 'target')), 'attachment.set_target')

    def set_compliance(self, compliance):
        r"""Sets how far it gives way to a newton (m/N, 0 to 1e9)."""
        check(lib.piola_attachment_set_compliance(self._world, self._handle, number(compliance, 'float')), 'attachment.set_compliance')

    def set_damping(self, damping):
        r"""Sets its damping (N s/m, 0 to 1e9)."""
        check(lib.piola_attachment_set_damping(self._world, self._handle, number(damping, 'float')), 'attachment.set_damping')

    def detach(self):
        r"""Ends an attachment."""
        check(lib.piola_attachment_detach(self._world, self._handle), 'attachment.detach')


class TractionCalls:
    def set(self, value):
        r"""Sets a traction (Pa): see piola_traction_desc. (traction: Pa; value: Pa)"""
        check(lib.piola_traction_set(self._world, self._handle, vector(value, 3, 'value')), 'traction.set')

    def set_pressure(self, pressure):
        r"""Sets its pressure (Pa). (pressure: Pa)"""
        check(lib.piola_traction_set_pressure(self._world, self._handle, number(pressure, 'float')), 'traction.set_pressure')

    def alive(self):
        r"""False once it was destroyed or has lost its body."""
        return lib.piola_traction_alive(self._world, self._handle)

    def inspect(self):
        r"""Between steps only."""
        info_ = ffi.new('piola_traction_info[1]')
        check(lib.piola_traction_inspect(self._world, self._handle, info_), 'traction.inspect')
        return result(info_, 'piola_traction_info', 0)
