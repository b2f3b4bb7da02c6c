// SPDX-License-Identifier: MIT
// <graze/io.hpp>: a model in memory is read, described and cut; a robot is read and placed; a picture is written and its file
// read back.
#include "cpp_checks.hpp"

#include <cstdio>
#include <string>
#include <type_traits>
#include <unistd.h>

#include <graze/io.hpp>

namespace
{

static_assert(!std::is_copy_constructible_v<graze::io::model> && !std::is_copy_constructible_v<graze::io::file>);
static_assert(std::is_nothrow_move_assignable_v<graze::io::cutter>);

graze::span<unsigned char> bytes_of(const std::string &text)
{
    return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}

void models()
{
    const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no first\nf 1 2 3\no second\nf 1 3 4\nf 1 4 2\n";
    REQUIRE(std::strcmp(graze::io::detect("two.obj", bytes_of(text)).format, "OBJ") == 0);
    REQUIRE(!graze::io::formats().empty());
    REQUIRE(graze::io::unread("two.obj", bytes_of(text)).empty());
    REQUIRE(graze::io::unread("two.step", bytes_of(text)).rfind("STEP is not read: ", 0) == 0);
    graze::io::model model("two.obj", bytes_of(text));
    REQUIRE(model->face_count == 3 && model.parts().size() == 2 && model.notes().empty());
    REQUIRE(std::strcmp(model.parts()[1].name, "second") == 0);
    model.positions()[3] = 5;
    const graze::device device;
    const graze::mesh whole(device, model.describe());
    REQUIRE(whole.face_count() == 3 && whole.positions()[3] == 5);
    graze::io::cutter cutter(model);
    { // the cutter keeps the model
        const graze::io::model gone = std::move(model);
    }
    const graze::mesh part(device, cutter.cut(1));
    REQUIRE(part.face_count() == 2 && part.vertex_count() == 4);
    REQUIRE(thrown_by([&] { cutter.cut(2); }).element() == 2);
    const graze::error damaged = thrown_by([&] { graze::io::model bad("bad.obj", bytes_of("f 1 2 3\n")); });
    REQUIRE(damaged.code() == GRZ_ERROR_FORMAT && std::strstr(damaged.what(), "bad.obj") != nullptr);
}

void robots()
{
    const std::string text =
        "<robot name='r'><link name='a'><collision><geometry><box size='2 2 2'/></geometry></collision></link>"
        "<link name='b'><collision><geometry><sphere radius='0'/></geometry></collision></link>"
        "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>";
    const graze::io::robot robot("r.urdf", bytes_of(text));
    REQUIRE(robot.links().size() == 2 && robot.joints().size() == 1 && robot.collisions().size() == 1);
    REQUIRE(robot.notes().size() == 1 && std::strcmp(robot->name, "r") == 0);
    std::vector<double> values{0.5};
    REQUIRE(robot.place(values)[1].translation[2] == 0.5);
    values.clear();
    REQUIRE(thrown_by([&] { robot.place(values); }).code() == GRZ_ERROR_ARGUMENT);
    const graze::device device;
    const graze::mesh box(device, graze::io::model(robot.collisions()[0]).describe());
    REQUIRE(box.face_count() == 6);
    REQUIRE(thrown_by([&] { graze::io::robot none("r.urdf", bytes_of("<robot/>")); }).code() == GRZ_ERROR_FORMAT);
    REQUIRE(thrown_by([&] { graze::io::robot none("no/such.urdf"); }).code() == GRZ_ERROR_FILE);
    std::size_t used;
    const std::vector<grz_io_package> packages{{"p", "/q"}};
    REQUIRE(graze::io::find_mesh("a/r.urdf", "package://p/m.stl", packages, &used) == "/q/m.stl" && used == 0);
    REQUIRE(graze::io::find_mesh("a/r.urdf", "m.stl") == "a/m.stl");
    const graze::io::srdf rules("r.srdf",
                                bytes_of("<robot name='n'><disable_collisions link1='a' link2='b'/></robot>"));
    REQUIRE(std::strcmp(rules.name(), "n") == 0);
    REQUIRE(rules.disabled().size() == 1 && std::strcmp(rules.disabled()[0].link2, "b") == 0);
    REQUIRE(thrown_by([&] { graze::io::srdf none("no/such.srdf"); }).code() == GRZ_ERROR_FILE);
}

void files()
{
    REQUIRE(thrown_by([] { graze::io::file none("no/such/file"); }).code() == GRZ_ERROR_FILE);
    REQUIRE(thrown_by([] { graze::io::model none("no/such/file.obj"); }).code() == GRZ_ERROR_FILE);
    char path[] = "/tmp/graze_cpp_XXXXXX";
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    const graze::picture two{2, 1, {255, 0, 0, 255, 0, 0, 255, 255}, {}};
    graze::io::write_png(path, two);
    const graze::io::file by_name{std::string(path)}, opened(descriptor, "picture");
    REQUIRE(by_name.mapped() && by_name.bytes().size() > 8 && by_name.bytes()[1] == 'P');
    REQUIRE(opened.bytes().size() == by_name.bytes().size());
    REQUIRE(thrown_by([&] { graze::io::write_png(path, 2, 2, two.pixels); }).code() == GRZ_ERROR_ARGUMENT);
    close(descriptor);
    std::remove(path);
}

} // namespace

int main()
{
    return run(models, robots, files);
}
