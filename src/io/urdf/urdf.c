// urdf.c - a robot description as a whole: names, and the order of the tree.
#include "io/urdf/urdf.h"

#include "math/vec.h"

#include <string.h>

static int count_children(const rgXmlElement* root, const char* name) {
  int count = 0;
  for (const rgXmlElement* e = root->child; e; e = e->next)
    count += strcmp(e->name, name) == 0;
  return count;
}

static bool add_name(rgUrdf* u, rgNames* names, const rgXmlElement* e, const char** name,
                     int index) {
  *name = rg_robot_string(e, "name", "");
  if (!(*name)[0])
    return rg_robot_fail(u->robot, rg_robot_place(e), "<%s> has no name", e->name);
  if (rg_names_find(names, *name, strlen(*name)) >= 0)
    return rg_robot_fail(u->robot, rg_robot_place(e),
                         "a second <%s> has the name \"%.60s\"; names must be unique", e->name,
                         *name);
  return rg_names_add(names, *name, index) ? true : rg_robot_no_memory(u->robot);
}

static bool collect(rgUrdf* u) {
  int links = count_children(u->root, "link"), joints = count_children(u->root, "joint");
  u->links = rg_pool_take(&u->robot->scratch, (size_t)links, sizeof *u->links);
  u->joints = rg_pool_take(&u->robot->scratch, (size_t)joints, sizeof *u->joints);
  if (!u->links || !u->joints)
    return rg_robot_no_memory(u->robot);
  for (const rgXmlElement* e = u->root->child; e; e = e->next) {
    if (strcmp(e->name, "link") == 0) {
      rgUrdfLink* link = &u->links[u->link_count];
      *link = (rgUrdfLink){.element = e, .parent_joint = -1, .robot_link = -1};
      if (!add_name(u, &u->link_names, e, &link->name, u->link_count++))
        return false;
    } else if (strcmp(e->name, "joint") == 0) {
      rgUrdfJoint* joint = &u->joints[u->joint_count];
      *joint = (rgUrdfJoint){.element = e, .robot_joint = -1};
      if (!add_name(u, &u->joint_names, e, &joint->name, u->joint_count++))
        return false;
    }
  }
  return links > 0 || rg_robot_fail(u->robot, rg_robot_place(u->root), "<robot> has no links");
}

static int find_link(rgUrdf* u, const rgXmlElement* joint, const char* role) {
  const rgXmlElement* e = rg_xml_child(joint, role);
  const rgXmlAttribute* named = e ? rg_xml_attribute(e, "link") : NULL;
  if (!named) {
    rg_robot_fail(u->robot, rg_robot_place(e ? e : joint), "<joint> has no <%s link=\"...\"/>",
                  role);
    return -1;
  }
  int index = rg_names_find(&u->link_names, named->value, strlen(named->value));
  rgGuess guess = {.word = named->value};
  if (index < 0)
    rg_names_guess(&u->link_names, &guess);
  if (index < 0)
    rg_robot_fail(u->robot, rg_robot_place_of(e, named),
                  "link of <%s> is \"%.60s\", which is no link of the robot%s%.60s%s", role,
                  named->value, guess.best ? "; did you mean \"" : "", guess.best ? guess.best : "",
                  guess.best ? "\"?" : "");
  return index;
}

static bool connect(rgUrdf* u) {
  for (int i = 0; i < u->joint_count; i++) {
    rgUrdfJoint* joint = &u->joints[i];
    joint->parent = find_link(u, joint->element, "parent");
    joint->child = joint->parent < 0 ? -1 : find_link(u, joint->element, "child");
    if (joint->child < 0)
      return false;
    rgUrdfLink* child = &u->links[joint->child];
    if (child->parent_joint >= 0)
      return rg_robot_fail(u->robot, rg_robot_place(joint->element),
                           "the link \"%.60s\" has two parents, by this joint and by \"%.60s\"; a "
                           "robot is a tree",
                           child->name, u->joints[child->parent_joint].name);
    child->parent_joint = i;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// The tree
// -------------------------------------------------------------------------------------------------

// A root moves freely, unless the base is fixed or the root is called the world.
static bool add_root(rgUrdf* u, rgUrdfLink* from) {
  rgRobot* robot = u->robot;
  bool world = strcmp(from->name, "world") == 0;
  from->robot_link = robot->link_count;
  rgRobotLink* link = rg_robot_add_link(robot, rg_robot_place(from->element),
                                        rg_robot_text(robot, "%s", from->name), 0);
  if (!link)
    return false;
  if (!world && !robot->options->fixed_base) {
    rgRobotJoint* joint =
        rg_robot_add_joint(robot, link->place, "", from->robot_link, RG_ROBOT_FREE);
    if (!joint)
      return false;
    joint->position[3] = 1;
  }
  return rg_urdf_read_link(u, from, from->robot_link);
}

static bool add_child(rgUrdf* u, rgUrdfJoint* joint) {
  rgRobot* robot = u->robot;
  rgUrdfLink* from = &u->links[joint->child];
  int parent = u->links[joint->parent].robot_link;
  from->robot_link = robot->link_count;
  return rg_robot_add_link(robot, rg_robot_place(from->element),
                           rg_robot_text(robot, "%s", from->name), parent) &&
         rg_urdf_read_joint(u, joint, from->robot_link) &&
         rg_urdf_read_link(u, from, from->robot_link);
}

// The joints of each link, as lists: first[link], and next[joint] after a joint; -1 ends them.
static bool list_joints(rgUrdf* u, int** first, int** next) {
  *first = rg_pool_take(&u->robot->scratch, (size_t)u->link_count, sizeof **first);
  *next = rg_pool_take(&u->robot->scratch, (size_t)u->joint_count, sizeof **next);
  if (!*first || !*next)
    return rg_robot_no_memory(u->robot);
  for (int i = 0; i < u->link_count; i++)
    (*first)[i] = -1;
  for (int i = u->joint_count - 1; i >= 0; i--) {
    (*next)[i] = (*first)[u->joints[i].parent];
    (*first)[u->joints[i].parent] = i;
  }
  return true;
}

// Parents before children, in the order of the joints; what is left over hangs on itself.
static bool add_tree(rgUrdf* u) {
  int *first, *next, count = 0;
  int* queue = rg_pool_take(&u->robot->scratch, (size_t)u->link_count, sizeof *queue);
  if (!queue || !list_joints(u, &first, &next))
    return rg_robot_no_memory(u->robot);
  for (int i = 0; i < u->link_count; i++)
    if (u->links[i].parent_joint < 0) {
      if (!add_root(u, &u->links[i]))
        return false;
      queue[count++] = i;
    }
  for (int done = 0; done < count; done++)
    for (int j = first[queue[done]]; j >= 0; j = next[j]) {
      if (!add_child(u, &u->joints[j]))
        return false;
      queue[count++] = u->joints[j].child;
    }
  for (int i = 0; i < u->link_count; i++)
    if (u->links[i].robot_link < 0)
      return rg_robot_fail(u->robot, rg_robot_place(u->links[i].element),
                           "the link \"%.60s\" is in a loop of joints; a robot is a tree",
                           u->links[i].name);
  return true;
}

bool rg_urdf_read(rgRobot* robot, rgXmlElement* root) {
  rgUrdf u = {.robot = robot, .root = root};
  u.link_names.pool = u.joint_names.pool = &robot->scratch;
  robot->title = rg_robot_text(robot, "%s", rg_robot_string(root, "name", ""));
  robot->part_overlaps = true; // a description has no word for it, and shapes are often generous
  if (!rg_urdf_check(&u) || !collect(&u) || !connect(&u))
    return false;
  if (!rg_robot_add_link(robot, rg_robot_place(root), "ground", -1))
    return false;
  return add_tree(&u) && rg_urdf_read_mimics(&u);
}
