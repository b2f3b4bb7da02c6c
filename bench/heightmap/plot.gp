# SPDX-License-Identifier: MIT
# Draws what `heightmap --csv` wrote, the parts that are in it. Run by `heightmap --plot`, or:
# gnuplot -e "csv='heightmap.csv'; png='heightmap.png'; renderer='…'" plot.gp
# Columns: 1 part, 2 name, 3 resolution, 4 missed, 5 invented, 6 all, 8 touching, 10 free, each with its deviation
# after it, 12 median of all, in microseconds; of parts `frame` and `scene_frame`: 3 number, 4 touches or is hit, 5 says
# so, 6 microseconds; of part `scene_hits`: 2 what is hit, 3 number of the way, 6 in how many frames; of parts
# `fire_LAYERS_SIDE` and `fire_touching_…`: 6 microseconds or pairs.
set datafile separator ","
has(part) = system("grep -c '^".part.",' '".csv."'") > 0
rows = has("table1") ? 2 : 1
set terminal pngcairo size (rows == 2 ? 3000 : 2400), 500 * rows noenhanced font "sans,10"
set output png
set multiplot layout rows, (rows == 2 ? 5 : 4) title "Graze heightmap on ".renderer
lines(part, filter) = "< grep '^".part.",' '".csv."' ".filter
frames(way) = "< grep '^frame,\"".way."\",' '".csv."'"
ways = system("grep '^frame,' '".csv."' | cut -d, -f2 | awk '!seen[$0]++' | tr -d '\"' | tr ' ' '~' | tr '\\n' ' '")
plain(name) = system("echo '".name."' | tr '~' ' '")
set key top right
set logscale y
set ylabel "microseconds"
if (ways ne "") {
    set title "The flight; grey: ship and tunnel touch"
    set xlabel "frame"
    set yrange [0.3:1000000]
    plot frames(plain(word(ways, 1)))." | grep ',1,[01],'" using 3:(1000000) with impulses linecolor "grey85" notitle, \
        for [way in ways] frames(plain(way)) using 3:6 with lines title plain(way)
    set yrange [*:*]
}
set xlabel ""
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.7
set xtics rotate by -30 font "sans,8"
set yrange [1:100000]
if (has("table1")) {
    set title "Means of frames, one projection"
    plot lines("table1", "") using 6:xtic(2) title "all", "" using 8 title "touching", "" using 10 title "free"
}
if (has("exact")) {
    set title "Exact yes or no, in turn"
    plot lines("exact", "") using 6:xtic(2) title "all", "" using 8 title "touching", "" using 10 title "free"
}
unset logscale y
set yrange [0:*]
set offsets 0, 0, graph 0.25, 0
at128 = "| grep ',128,' | sed 's/ 128//'"
if (has("projections")) {
    set title "128 x 128, means of all frames"
    plot lines("projections", at128." | grep -v stencil") using 6:xtic(2) title "without stencil", \
        lines("projections", at128." | grep stencil") using 6 title "with"
    set title "Wrong frames, 128 x 128"
    set ylabel "frames"
    plot lines("projections", at128." | grep -v stencil") using 4:xtic(2) title "missed", "" using 5 title "invented"
    set offsets 0, 0, 0, 0
    set style data linespoints
    set title "Against resolution, culled, without stencil"
    set ylabel "microseconds"
    set xlabel "pixels a side"
    set key top left
    set xtics norotate font "sans,10"
    set logscale xy 2
    set yrange [*:*]
    plot for [p in "single opposite bounded combined floor"] \
        lines("projections", "| grep '\"".p." ' | grep -v stencil | grep -v sides | sort -t, -k3n") using 3:6 title p
}
scene_ways = system("grep '^scene,' '".csv."' | cut -d, -f2- | grep -o '^\"[^\"]*' | tr -d '\"' | tr ' ' '~' | tr '\n' ' '")
scene_frames(way) = "< grep '^scene_frame,\"".way."\",' '".csv."' | sed 's/\"[^\"]*\"/way/'"
if (has("scene")) {
    unset logscale
    set title "The scene of 315,000 triangles; grey: the ship hits something"
    set ylabel "milliseconds a frame"
    set xlabel "frame"
    stats scene_frames(plain(word(scene_ways, words(scene_ways)))) using 6 nooutput
    top = 1.6e-3 * STATS_mean
    set key bottom right
    set yrange [0:top]
    plot scene_frames(plain(word(scene_ways, 1)))." | grep '^scene_frame,way,[0-9]*,1,'" using 3:(top) with impulses linecolor "grey85" notitle, \
        for [way in scene_ways] scene_frames(plain(way)) using 3:($6 * 1e-3) with lines title plain(way)
    set title "The scene: frames that hit, by recorded ids"
    set key top right
    set ylabel "frames"
    set xlabel ""
    set yrange [0:*]
    set xtics rotate by -30
    set style data histogram
    plot lines("scene_hits", "| grep ',2,,,'") using 6:xtic(2) title "one map", lines("scene_hits", "| grep ',3,,,'") using 6 title "two maps"
}
fires = system("grep -o '^fire_[0-9]*_[0-9]*' '".csv."' | awk '!seen[$0]++' | tr '\n' ' '")
titled(part) = system("echo '".part."' | sed 's/^fire_//; s/_/ x /'")
if (fires ne "") {
    unset logscale
    set style data histogram
    set xlabel ""
    set xtics rotate by -30
    set key top left
    set yrange [0:*]
    set title "The fire: a step, by layers x pixels a side"
    set ylabel "milliseconds"
    plot for [part in fires] lines(part, "") using ($6 * 1e-3):xtic(2) title titled(part)
    set title "The fire: paths that touch triangles"
    set ylabel "pairs"
    set key top right
    plot for [part in fires] lines("fire_touching".part[5:], "") using 6:xtic(2) title titled(part)
}
unset multiplot
