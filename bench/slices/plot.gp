# SPDX-License-Identifier: MIT
# Draws what `slices --csv` wrote, the parts that are in it: Table 1 as curves, Figures 4 and 5, deformed surfaces; of
# the exact answer, time against the rate of collisions, and meshes that change. Run by `slices --plot`, or: gnuplot -e
# "csv='slices.csv'; png='slices.png'; renderer='…'" plot.gp Columns: 1 part, 2 name, 3 x, 4 value, 5 least, 6 most, 9
# the paper's.
set datafile separator ","
set terminal pngcairo size 1800, 1000 noenhanced font "sans,10"
set output png
set multiplot layout 2,3 title "Graze slices on ".renderer
of(name, way) = "< grep '^".name.",\"".way."\"' '".csv."'"
names(name) = system("grep '^".name.",' '".csv."' | cut -d, -f2 | sort -u | tr -d '\"' | tr ' ' '~' | tr '\\n' ' '")
plain(name) = system("echo '".name."' | tr '~' ' '")
rows = '"not refined" "refined once" "refined twice"'
set logscale y
if (names("table1") ne "") {
    set logscale x 2
    set key top right
    set xlabel "pixels a side"
    set ylabel "percent wrong (dashed: the paper)"
    set title "Table 1: what the discrete answer has wrong"
    plot for [i=1:3] of("table1", word(rows, i)) using 3:($4 > 0 ? $4 : 0.005) with linespoints linecolor i title word(rows, i), \
         of("table1", "conservative, 32 slices") using 3:4 with linespoints linecolor 4 title "conservative: none missed", \
         for [i=1:3] of("table1", word(rows, i)) using 3:9 with lines linecolor i dashtype 2 notitle
    unset logscale x
}
set key top left
set ylabel "microseconds a query"
if (names("rates") ne "") {
    set yrange [1:*]
    set xlabel "percent of queries that collide"
    set title "Exact yes or no: time against the rate of collisions"
    plot for [way in names("rates")] of("rates", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
    set yrange [*:*]
}
if (names("figure4") ne "") {
    set xlabel "percent of queries that collide"
    set title "Figure 4: time against the rate of collisions"
    plot for [way in names("figure4")] of("figure4", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
set logscale x 10
set xlabel "polygons"
if (names("figure5") ne "") {
    set title "Figure 5: time against polygons"
    plot for [way in names("figure5")] of("figure5", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
set ylabel "microseconds a step"
if (names("deform") ne "") {
    set title "Deformed surfaces: every vertex moves"
    plot for [way in names("deform")] of("deform", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
if (names("rebuild") ne "") {
    set title "Exact yes or no: every vertex moves, or all is new"
    plot for [way in names("rebuild")] of("rebuild", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
unset multiplot
