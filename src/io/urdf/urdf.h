// urdf.h - reading URDF, the robot descriptions of ROS, into an rgRobot.
//
// Links and joints stand in any order and refer to each other by name; they are put into the order
// of the tree first. Joints are those of MJCF with another spelling: fixed joints weld links
// together, and links without mass that nothing holds but a fixed joint are frames.
#ifndef IO_URDF_URDF_H
#define IO_URDF_URDF_H

#include "io/model/mesh.h"
#include "io/robot/robot.h"
#include "io/text/names.h"

typedef struct rgUrdfLink {
  const rgXmlElement* element;
  const char* name;
  int parent_joint; // -1: a root
  int robot_link;   // -1: not in the tree yet
} rgUrdfLink;

typedef struct rgUrdfJoint {
  const rgXmlElement* element;
  const char* name;
  int parent, child; // links
  int robot_joint;   // -1: none
} rgUrdfJoint;

typedef struct rgUrdf {
  rgRobot* robot;
  rgXmlElement* root;
  rgUrdfLink* links;
  rgUrdfJoint* joints;
  int link_count, joint_count;
  rgNames link_names, joint_names;
} rgUrdf;

bool rg_urdf_check(rgUrdf* u); // urdf_table.c: every element and attribute is known

// urdf_link.c
bool rg_urdf_origin(rgUrdf* u, const rgXmlElement* element, rgPose* pose);
bool rg_urdf_read_link(rgUrdf* u, const rgUrdfLink* from, int link);
// urdf_joint.c: the joint by which a link hangs on its parent.
bool rg_urdf_read_joint(rgUrdf* u, rgUrdfJoint* joint, int link);
bool rg_urdf_read_mimics(rgUrdf* u);
// urdf_file.c: a mesh that a link names, scaled.
bool rg_urdf_read_mesh(rgUrdf* u, const rgXmlElement* mesh, rgMesh* out, const char** path);

#endif
