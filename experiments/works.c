// works.c - the papers that the experiments are from.
#include "experiments/experiment.h"

const ExperimentWork experiment_work_acosta = {
    "Brian Acosta, William Yang, Michael Posa",
    "Validating Robotics Simulators on Real-World Impacts",
    "IEEE Robotics and Automation Letters, 2022",
};

const ExperimentWork experiment_work_baraff = {
    "David Baraff, Raju Mattikalli",
    "Impending Motion Direction of Contacting Rigid Bodies",
    "CMU-RI-TR-93-15, Robotics Institute, Carnegie Mellon University, 1993",
};

const ExperimentWork experiment_work_cline = {
    "Michael B. Cline",
    "Rigid Body Simulation with Contact and Constraints",
    "Master's thesis, University of British Columbia, 2002",
};

const ExperimentWork experiment_work_redon = {
    "Stephane Redon, Abderrahmane Kheddar, Sabine Coquillart",
    "Gauss' least constraints principle and rigid body simulations",
    "IEEE International Conference on Robotics and Automation, 2002",
};

const ExperimentWork experiment_work_chakraborty = {
    "Nilanjan Chakraborty, Stephen Berard, Srinivas Akella, Jeff Trinkle",
    "An implicit time-stepping method for multibody systems with intermittent contact",
    "Robotics: Science and Systems 2007",
};

const ExperimentWork experiment_work_renouf = {
    "Mathieu Renouf, Vincent Acary, Georges Dumont",
    "3D frictional contact and impact multibody dynamics. A comparison of algorithms suitable for "
    "real-time applications",
    "Multibody Dynamics 2005, ECCOMAS Thematic Conference",
};
