"""The package against NumPy and closed forms. Run by scripts/python in a virtual environment with the wheel."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import rigor
from rigor import _core

ROOT = os.environ["RIGOR_ROOT"]


def scene(name):
    return os.path.join(ROOT, "scenes", name)


def arm(step=0.002, **axis):
    made = rigor.Scene("arm", step=step)
    made.body("arm", position=(0.5, 0, 0), mass=2.0, shapes=[{"shape": "box", "half": np.array([0.5, 0.05, 0.05])}])
    made.joint("hinge", "shoulder", b="arm", point=(0, 0, 0), axis=(0, 1, 0), axes=[{"axis": "turn", **axis}])
    return made


class Package(unittest.TestCase):
    def test_it_is_the_installed_one(self):
        self.assertIn("site-packages", rigor.__file__)
        self.assertRegex(rigor.__version__, r"^\d+\.\d+\.\d+$")

    def test_fields_of_the_certificate_are_those_of_the_table(self):
        fields = [(name, kind) for name, kind, _, _ in _core.certificate_fields()]
        hints = {name: kind.__name__ for name, kind in rigor.Certificate.__annotations__.items()}
        self.assertEqual(fields, list(hints.items()))

    def test_the_command_is_there(self):
        run = subprocess.run([sys.executable, "-m", "rigor", "--version"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(rigor.__version__, run.stdout)
        page = os.path.join(os.path.dirname(rigor.__file__), "share", "rigor", "page.html")
        view = subprocess.run([sys.executable, "-m", "rigor", "view", scene("stack.json"), "-o", os.devnull],
                              capture_output=True, text=True, check=False)
        self.assertEqual(view.returncode == 0, os.path.exists(page), view.stderr)

    def test_the_module_needs_nothing_but_libc_and_libm(self):
        listed = subprocess.run(["ldd", _core.__file__], capture_output=True, text=True, check=True).stdout
        names = {line.split()[0].split("/")[-1] for line in listed.splitlines()}
        self.assertLessEqual({n for n in names if not n.startswith(("linux-vdso", "ld-linux"))}, {"libc.so.6", "libm.so.6"})

    def test_stubs_name_what_there_is(self):
        with open(os.path.join(os.path.dirname(rigor.__file__), "_core.pyi"), encoding="utf-8") as file:
            text = file.read()
        for kind in (_core.Model, _core.World, _core.Problem):
            part = re.search(rf"^class {kind.__name__}:\n((?:    .*\n|\n)*)", text, re.M).group(1)
            named = set(re.findall(r"^    (?:def )?(\w+)[(:]", part, re.M))
            self.assertEqual(named, {name for name in dir(kind) if not name.startswith("_")})


MJCF = """<mujoco><option timestep="0.001"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="cart" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/>
    <body name="arm" pos="0 0 0.2"><joint name="lift" type="hinge" axis="0 1 0"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0.4 0 0"/></body></body>
</worldbody><actuator><position joint="lift" kp="50"/></actuator></mujoco>"""
URDF = """<robot name="two"><link name="world"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


class Queries(unittest.TestCase):
    def stack(self):
        made = rigor.Scene()
        made.body("floor", kind="static", shapes=[{"shape": "halfspace"}])
        made.body("box", position=(0, 0, 0.1), shapes=[{"shape": "box", "half": np.array([0.1, 0.1, 0.1])}])
        made.body("ball", position=(1, 0, 0.5), shapes=[{"shape": "sphere", "radius": 0.2}])
        made.body("arm", position=(5, 0, 1), shapes=[{"shape": "box", "half": [0.2, 0.1, 0.1]}])
        made.joint("fixed", "wrist", b="arm", point=(5, 0, 1))
        made.sensor("accelerometer", "imu", body="box")
        made.sensor("contact-force", "sole", body="box", other="floor")
        made.sensor("force-torque", "wrench", joint="wrist")
        made.sensor("position", "place", body="ball", position=(0, 0, 0.1))
        return made

    def test_sensors_are_live_views(self):
        world = self.stack().model().world()
        sensors = world.sensors
        self.assertEqual(list(sensors), ["imu", "sole", "wrench", "place"])
        self.assertTrue(np.isnan(sensors["imu"]).all())
        np.testing.assert_allclose(sensors["place"], [1, 0, 0.6])
        imu, all_of_them = sensors["imu"], sensors.array
        world.step(3)
        np.testing.assert_allclose(imu, [0, 0, 9.81], atol=1e-6)  # the same array, of the last step
        self.assertTrue(np.shares_memory(imu, all_of_them))
        weight = 9.81 * 8
        np.testing.assert_allclose(sensors["sole"], [0, 0, weight], atol=1e-5)
        self.assertAlmostEqual(np.linalg.norm(sensors["wrench"][:3]), 9.81 * 1000 * 0.4 * 0.2 * 0.2, places=5)
        self.assertEqual(sensors.kinds["imu"], "accelerometer")
        self.assertEqual(sensors.units["imu"], (("x", "m/s2"), ("y", "m/s2"), ("z", "m/s2")))
        with self.assertRaises(ValueError):
            imu[0] = 1
        state = world.save()
        before = all_of_them.copy()
        world.step(5)
        world.load(state)
        np.testing.assert_array_equal(all_of_them, before)
        array = sensors.array
        del world, sensors, imu, all_of_them
        self.assertEqual(array.shape, before.shape)  # the world lives as long as its numbers are seen
        np.testing.assert_array_equal(array, before)

    def test_settling_measures_the_state(self):
        world = self.stack().model().world()
        world.qpos[world.qpos == 1.0] = 1.0
        ball = 7  # the second root
        world.qpos[ball : ball + 3] = [2, 3, 4]
        world.settle()
        np.testing.assert_allclose(world.sensors["place"], [2, 3, 4.1])

    def test_states_go_back_with_the_same_bits(self):
        model = rigor.load(scene("humanoid.json"))
        world, twin = model.world(), model.world()
        world.step(20)
        state, ctrl = world.save_state(), world.ctrl.copy()
        world.ctrl[:] += 0.1
        world.step(10)
        far = world.hash
        world.load_state(state)
        np.testing.assert_array_equal(world.ctrl, ctrl)
        world.step(10)
        self.assertNotEqual(world.hash, far)
        twin.load_state(state)
        twin.step(10)
        self.assertEqual(twin.hash, world.hash)
        with self.assertRaisesRegex(rigor.Error, "built differently"):
            self.stack().model().world().load_state(state)
        with self.assertRaises(ValueError):
            twin.load_state(3)

    def test_rays(self):
        world = self.stack().model().world()
        name, distance = world.ray((1, 0, 3), (0, 0, -2))
        self.assertEqual(name, "ball")
        self.assertAlmostEqual(distance, 2.3, places=12)
        self.assertEqual(world.ray((1, 0, 3), (0, 0, -1), ignore="ball"), ("floor", 3.0))
        self.assertIsNone(world.ray((1, 0, 3), (0, 0, 1)))
        self.assertIsNone(world.ray((1, 0, 3), (0, 0, -1), length=1))
        angles = np.linspace(0, 2 * np.pi, 100)
        hits = world.rays((0, 0, 1), np.stack([np.cos(angles), np.sin(angles), -2 * np.ones(100)], axis=1))
        floor = hits.body == 0
        np.testing.assert_allclose(hits.distance[floor], np.sqrt(5) / 2)
        np.testing.assert_allclose(hits.normal[floor], np.tile([0, 0, 1], (floor.sum(), 1)))
        self.assertTrue(world.rays((0, 0, 0.1), (1, 0, 0)).inside[0])
        with self.assertRaisesRegex(rigor.Error, "direction is zero or not finite"):
            world.ray((0, 0, 0), (0, 0, 0))
        with self.assertRaises(ValueError):
            world.rays((0, 0), (1, 0))

    def test_distances_and_overlaps(self):
        world = self.stack().model().world()
        closest = world.distance("ball", "floor")
        self.assertAlmostEqual(closest.distance, 0.3, places=12)
        np.testing.assert_allclose(closest.normal, [0, 0, 1])
        np.testing.assert_allclose(closest.point_a, [1, 0, 0.3])
        with self.assertRaises(rigor.Error):
            world.distance("floor", "floor")
        sphere = rigor.Probe({"shape": "sphere", "radius": 0.1})
        found = world.overlap(sphere, (0.15, 0, 0.1))
        self.assertEqual([world.bodies[i] for i in found.body], ["floor", "box"])
        np.testing.assert_allclose(found.distance, [0, -0.05], atol=1e-15)
        self.assertEqual(len(world.overlap(sphere, (0.15, 0, 0.3)).body), 0)
        self.assertEqual(len(world.overlap(sphere, (0.15, 0, 0.3), reach=10).body), 4)
        hull = rigor.Probe({"shape": "hull", "points": np.random.default_rng(1).normal(size=(20, 3))})
        self.assertIn(world.body("floor"), world.overlap(hull, (0, 0, 0.5)).body)
        with self.assertRaisesRegex(rigor.Error, "radius"):
            rigor.Probe({"shape": "sphere", "radius": -1})
        with self.assertRaises(rigor.Error):
            rigor.Probe({"shape": "halfspace", "size": 3})


class Robots(unittest.TestCase):
    def test_mjcf(self):
        model = rigor.loads(MJCF, name="cart.xml")
        world = model.world()
        self.assertEqual(len(world.qpos), 7 + 1)
        self.assertEqual(world.axes, (rigor.Axis("lift", "turn", "rad", "servo"),))
        self.assertEqual(world.option("step"), 0.001)
        world.ctrl[0] = -0.5
        self.assertTrue(world.step(2000))
        self.assertLess(abs(world.qpos[2] - 0.1), 1e-3)
        self.assertGreater(len(world.contacts.gap), 0)
        again = rigor.loads(model.scene()).world()  # as a scene
        np.testing.assert_allclose(again.qpos, rigor.loads(MJCF).world().qpos, atol=1e-12)

    def test_urdf_swings_with_its_period(self):
        world = rigor.loads(URDF, name="two.urdf", theta=0.5, step=0.001).world()
        self.assertEqual(len(world.axes), 1)
        small = 0.01
        world.qpos[0] = np.pi / 2 - small  # the centre hangs below the joint at a right angle
        last, crossed = -small, []
        while len(crossed) < 2:
            world.step()
            now = world.qpos[0] - np.pi / 2
            if last < 0 <= now:
                crossed.append(world.time - 0.001 * now / (now - last))
            last = now
        inertia = 0.2 + 2 * 0.25
        self.assertAlmostEqual(crossed[1] - crossed[0], 2 * np.pi * np.sqrt(inertia / (2 * 9.81 * 0.5)), delta=1e-4)

    def test_errors_have_file_line_and_column(self):
        with self.assertRaisesRegex(rigor.Error, r"^cart\.xml:2:\d+: "):
            rigor.loads(MJCF.replace("<geom type=\"plane\"", "<gem type=\"plane\""), name="cart.xml")


class Errors(unittest.TestCase):
    def test_places_and_reasons(self):
        with self.assertRaises(rigor.Error) as caught:
            rigor.loads('{"rigor": 1,\n "bodies": [{"mass": -1}]}', name="a.json")
        self.assertEqual(str(caught.exception), "a.json:2:22: bodies[0].mass is -1, must be > 0")
        self.assertEqual(caught.exception.status, "input")
        with self.assertRaises(rigor.Error) as caught:
            rigor.load("no/such/robot.xml")
        self.assertEqual(caught.exception.status, "io")

    def test_options_and_arguments(self):
        model = rigor.load(scene("stack.json"), step=0.001, preset="reference")
        self.assertEqual(model.option("step"), 0.001)
        self.assertLess(model.option("tolerance"), 1e-8)
        self.assertIn("gravity", rigor.options())
        self.assertIn("newton", rigor.solvers())
        with self.assertRaisesRegex(ValueError, "there is no option 'stepp'"):
            model.set_option("stepp", 1)
        with self.assertRaisesRegex(rigor.Error, "step is -1"):
            model.set_option("step", -1.0)
        with self.assertRaisesRegex(ValueError, "there is no preset"):
            rigor.load(scene("stack.json"), preset="fast")
        world = model.world()
        with self.assertRaises(ValueError):
            world.step(-1)
        with self.assertRaises(TypeError):
            world.step("1")
        with self.assertRaises(TypeError):
            _core.World()

    def test_a_configuration_that_is_no_pose_is_refused_and_nothing_moves(self):
        world = rigor.load(scene("humanoid.json")).world()
        world.step(3)
        state = world.hash
        world.qpos[3:7] = 0
        with self.assertRaises(rigor.Error):
            world.step()
        self.assertEqual(world.hash, state)


class Motion(unittest.TestCase):
    def test_free_fall_is_the_parabola(self):
        made = rigor.Scene(step=0.01)
        made.body("ball", position=(0, 0, 10), velocity=(1, 0, 2), shapes=[{"shape": "sphere", "radius": 0.1}])
        world = made.model(theta=0.5).world()
        q, v = world.qpos, world.qvel
        for _ in range(50):
            self.assertTrue(world.step())
            t = world.time
            np.testing.assert_allclose(q[:3], [t, 0, 10 + 2 * t - 4.905 * t * t], rtol=0, atol=1e-12)
            np.testing.assert_allclose(v[:3], [1, 0, 2 - 9.81 * t], rtol=0, atol=1e-12)

    def test_a_pendulum_has_the_period_of_the_integral(self):
        # T = 4 sqrt(I / (m g l)) K(sin(a / 2)) by the arithmetic-geometric mean.
        world = arm(step=0.0005).model(theta=0.5).world()
        start, inertia = 0.7, 2.0 * (1.0 + 0.01) / 12 + 2.0 * 0.25
        world.qpos[0] = np.pi / 2 - start
        a, b = 1.0, np.cos(start / 2)
        for _ in range(8):
            a, b = (a + b) / 2, np.sqrt(a * b)
        period = 4 * np.sqrt(inertia / (2.0 * 9.81 * 0.5)) * np.pi / (2 * a)
        swings, last = [], world.qpos[0] - np.pi / 2
        while len(swings) < 3:
            world.step()
            now = world.qpos[0] - np.pi / 2
            if last < 0 <= now:
                swings.append(world.time - 0.0005 * now / (now - last))
            last = now
        self.assertAlmostEqual((swings[2] - swings[0]) / 2, period, delta=1e-5 * period)

    def test_arrays_are_live_and_without_copies(self):
        world = arm(servo=True, servo_stiffness=500, servo_damping=50).model().world()
        q = world.qpos
        self.assertIs(q, world.qpos)
        self.assertEqual(world.axes, (rigor.Axis("shoulder", "turn", "rad", "servo"),))
        self.assertIsInstance(q.base, memoryview)
        before = q.__array_interface__["data"][0]
        world.ctrl[0] = 0.4
        world.step(3000)
        # The servo holds the arm where its torque carries the weight.
        torque = 500 * (0.4 - q[0])
        self.assertAlmostEqual(torque, -2 * 9.81 * 0.5 * np.cos(q[0]), delta=1e-3)
        self.assertEqual(q.__array_interface__["data"][0], before)

    def test_what_is_written_holds_from_the_next_step_on(self):
        world = rigor.load(scene("humanoid.json")).world()
        world.step(10)
        wanted = world.qpos.copy()
        wanted[2] += 2
        wanted[7:] = np.linspace(-0.1, 0.1, len(wanted) - 7)
        world.qpos[:] = wanted
        world.qvel[:] = 0
        world.settle()
        np.testing.assert_allclose(world.qpos, wanted, atol=1e-12)
        world.step()
        np.testing.assert_allclose(world.qpos[:3], wanted[:3], atol=1e-3)

    def test_snapshots_go_on_with_the_same_bits(self):
        world = rigor.load(scene("humanoid.json")).world()
        world.step(100)
        state = world.save()
        first = [world.step() and world.hash for _ in range(20)]
        world.load(state)
        self.assertEqual([world.step() and world.hash for _ in range(20)], first)

    def test_time_and_steps(self):
        world = rigor.load(scene("stack.json")).world()
        world.step(7)
        self.assertEqual(world.steps, 7)
        self.assertAlmostEqual(world.time, 7 * world.option("step"))


class Forces(unittest.TestCase):
    def test_contacts_carry_the_weight(self):
        world = rigor.load(scene("stack.json")).world()
        world.step(10)
        contacts = world.contacts
        floor = world.body("floor")
        on_floor = contacts.force[contacts.body_a == floor].sum(axis=0) - contacts.force[contacts.body_b == floor].sum(axis=0)
        weight = -world.loads.applied_force[:, 2].sum()
        self.assertAlmostEqual(on_floor[2], -weight, delta=1e-6 * weight)
        np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1, atol=1e-12)

    def test_the_momentum_of_every_body_balances(self):
        world = rigor.load(scene("humanoid.json")).world()
        masses = None
        h = world.option("step")
        for _ in range(200):
            before = world.velocities[:, :3]
            world.step()
            loads = world.loads
            masses = -loads.applied_force[:, 2] / 9.81  # nothing but gravity is applied
            total = loads.applied_force + loads.contact_force + loads.joint_force
            change = masses[:, None] * (world.velocities[:, :3] - before - loads.correction)
            size = np.abs(total).sum(axis=1) * h + masses * (1 + np.abs(before).sum(axis=1))
            error = np.abs(change - h * total).sum(axis=1)
            self.assertTrue(np.all(error[masses > 0] <= 1e-10 * size[masses > 0]))


class Problems(unittest.TestCase):
    def random(self, seed, bodies=5, contacts=12):
        rng = np.random.default_rng(seed)
        inertia = []
        for _ in range(bodies):
            a = rng.normal(size=(3, 3))
            inertia.append(a @ a.T + np.eye(3))
        normal = rng.normal(size=(contacts, 3))
        body_a = rng.integers(0, bodies, contacts)
        body_b = np.where(rng.random(contacts) < 0.3, -1, (body_a + 1 + rng.integers(0, bodies - 1, contacts)) % bodies)
        given = {"inverse_mass": rng.uniform(0.1, 2, bodies), "inverse_inertia": np.array(inertia),
                 "v_free": rng.normal(size=(bodies, 6)), "body_a": body_a, "body_b": body_b, "normal": normal,
                 "arm_a": rng.normal(size=(contacts, 3)), "arm_b": rng.normal(size=(contacts, 3)),
                 "mu": rng.uniform(0.1, 1, contacts)}
        masses = given.pop("inverse_mass"), given.pop("inverse_inertia"), given.pop("v_free")
        return masses, given, rigor.Problem.build(*masses, **given)

    def test_w_is_what_numpy_makes(self):
        (inverse_mass, inverse_inertia, v_free), given, problem = self.random(1)
        n, m = len(inverse_mass), len(given["body_a"])
        blocks = np.zeros((6 * n, 6 * n))
        for i in range(n):
            blocks[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = inverse_mass[i] * np.eye(3)
            blocks[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = inverse_inertia[i]
        text = self.json(problem)
        jacobian = np.zeros((3 * m, 6 * n))
        for c, contact in enumerate(text["contacts"]):
            for k, axis in enumerate("nto"):
                d = np.array(contact[axis])
                for body, arm_key, sign in ((contact["body_a"], "arm_a", 1), (contact["body_b"], "arm_b", -1)):
                    if body >= 0:
                        jacobian[3 * c + k, 6 * body : 6 * body + 3] = sign * d
                        jacobian[3 * c + k, 6 * body + 3 : 6 * body + 6] = sign * np.cross(contact[arm_key], d)
        w, bias = problem.delassus()
        np.testing.assert_allclose(w, jacobian @ blocks @ jacobian.T, atol=1e-12)
        np.testing.assert_allclose(bias, jacobian @ v_free.ravel(), atol=1e-12)

    def json(self, problem):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.json")
            problem.write(path)
            with open(path, encoding="utf-8") as file:
                return json.load(file)

    def test_solutions_satisfy_coulomb_by_numpy(self):
        for seed in range(5):
            _, given, problem = self.random(seed)
            solution = problem.solve(tolerance=1e-10)
            self.assertTrue(solution.certificate.met, solution)
            w, bias = problem.delassus()
            r = solution.r[:, :3]
            u = (w @ r.ravel() + bias).reshape(-1, 3)
            mu = given["mu"]
            slide, grip = np.linalg.norm(u[:, 1:], axis=1), np.linalg.norm(r[:, 1:], axis=1)
            scale = np.abs(bias).max()
            self.assertTrue(np.all(r[:, 0] >= -1e-12) and np.all(u[:, 0] >= -1e-7 * scale))
            self.assertTrue(np.all(grip <= mu * r[:, 0] * (1 + 1e-9) + 1e-12))
            np.testing.assert_allclose(r[:, 0] * u[:, 0], 0, atol=1e-6)
            sliding = slide > 1e-5 * scale
            np.testing.assert_allclose(grip[sliding], (mu * r[:, 0])[sliding], rtol=1e-4, atol=1e-7)

    def test_local_form_and_certificate(self):
        rng = np.random.default_rng(3)
        a = rng.normal(size=(8, 8))
        w, q = a @ a.T + np.eye(8), rng.normal(size=8)
        problem = rigor.Problem.local(w, q)
        solution = problem.solve("lemke")
        z = solution.r[:, 0]
        u = w @ z + q
        self.assertTrue(np.all(z >= 0) and np.all(u >= -1e-9) and abs(z @ u) < 1e-9)
        self.assertTrue(problem.certify(solution.r, solution.lambda_).met)
        worse = solution.r.copy()
        worse[:, 0] += 0.1
        self.assertFalse(problem.certify(worse, solution.lambda_).met)
        with self.assertRaisesRegex(ValueError, "r has 4 numbers, must have 32"):
            problem.certify(np.zeros(4), np.zeros(0))
        with self.assertRaisesRegex(ValueError, "there is no solver"):
            problem.solve("magic")

    def test_files_and_islands(self):
        problem = rigor.Problem.read(os.path.join(ROOT, "tests/problems/arch.json"))
        solution = problem.solve()
        self.assertEqual(solution.v.shape, (problem.bodies, 6))
        again = problem.solve(start=solution)
        self.assertEqual(again.iterations, 0)
        world = rigor.load(scene("stack.json")).world()
        world.step(5)
        (island,) = world.problems()
        self.assertGreater(island.contacts, 0)
        self.assertTrue(island.solve().certificate.met)


class Threads(unittest.TestCase):
    def test_rollouts_have_the_same_bits_for_any_number_of_threads(self):
        model = rigor.load(scene("humanoid.json"))
        rng = np.random.default_rng(0)
        nu = len(model.world().ctrl)
        controls = rng.normal(size=(6, 30, nu))
        runs = []
        for threads in (1, 2, 3, 8):
            worlds = [model.world() for _ in range(6)]
            run = rigor.rollout(worlds, controls=controls, threads=threads)
            runs.append((run, [world.hash for world in worlds]))
            np.testing.assert_array_equal(run.qpos[:, -1], [world.qpos for world in worlds])
        for run, hashes in runs[1:]:
            self.assertEqual(hashes, runs[0][1])
            np.testing.assert_array_equal(run.qpos, runs[0][0].qpos)
            np.testing.assert_array_equal(run.qvel, runs[0][0].qvel)
        self.assertEqual(runs[0][0].met.shape, (6, 30))
        # One world by hand.
        world = model.world()
        for row in controls[3]:
            world.ctrl[:] = row
            world.step()
        self.assertEqual(world.hash, runs[0][1][3])

    def test_bad_rollouts_are_refused(self):
        model = rigor.load(scene("humanoid.json"))
        world = model.world()
        with self.assertRaisesRegex(ValueError, r"worlds\[1\] is worlds\[0\]"):
            rigor.rollout([world, world], 3)
        with self.assertRaisesRegex(ValueError, "controls have the shape"):
            rigor.rollout([world], controls=np.zeros((2, 3, 4)))
        with self.assertRaisesRegex(ValueError, "must have"):
            rigor.rollout([world], controls=np.zeros((1, 3, 4)))
        with self.assertRaisesRegex(ValueError, "steps or controls"):
            rigor.rollout([world])
        self.assertEqual(rigor.rollout([], 3).qpos.shape, (0, 3, 0))

    def test_the_lock_is_free_in_steps(self):
        world = rigor.load(scene("heap.json")).world()
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1

        other = threading.Thread(target=count)
        other.start()
        before = counted[0]
        world.step(5)
        during = counted[0] - before
        done.set()
        other.join()
        self.assertGreater(during, 0)

    def test_a_world_is_used_by_one_thread_at_a_time(self):
        world = rigor.load(scene("heap.json")).world()
        runner = threading.Thread(target=world.step, args=(40,))
        runner.start()
        refused = False
        while runner.is_alive() and not refused:
            try:
                world.step()
            except RuntimeError as error:
                refused = "by another thread" in str(error)
        runner.join()
        self.assertTrue(refused)

    def test_ctrl_c_ends_a_long_call(self):
        # What a shell starts in the background ignores the signal, and so would the interpreter.
        code = ("import rigor, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
                "w = rigor.load(sys.argv[1]).world(); print('go', flush=True); w.step(10**9)")
        with subprocess.Popen([sys.executable, "-c", code, scene("stack.json")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            child.stdout.readline()
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            try:
                self.assertNotEqual(child.wait(timeout=30), 0)
            finally:
                child.kill()
            self.assertIn("KeyboardInterrupt", child.stderr.read())


class Environment(unittest.TestCase):
    def test_it_has_the_form_of_gymnasium(self):
        env = rigor.Env(arm(servo=True, servo_stiffness=500, servo_damping=50).model(), frame_skip=5, noise=0.1,
                        episode_steps=4, reward=lambda world, action: -abs(float(world.qpos[0])))
        first, info = env.reset(seed=1)
        self.assertEqual(info, {})
        self.assertEqual(first.shape, env.observation_space.shape)
        again, _ = env.reset(seed=1)
        np.testing.assert_array_equal(first, again)
        for k in range(4):
            observation, reward, terminated, truncated, info = env.step(env.action_space.sample(env.np_random))
            self.assertTrue(info["met"])
            self.assertEqual((terminated, truncated), (False, k == 3))
            self.assertEqual(reward, -abs(observation[0]))


if __name__ == "__main__":
    unittest.main()
