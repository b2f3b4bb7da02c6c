# SPDX-License-Identifier: MIT
# Draws what `layers --csv` wrote, the parts that are in it. Run by `layers --plot`, or:
# gnuplot -e "csv='layers.csv'; png='layers.png'; renderer='…'" plot.gp
# Columns: 1 part, 2 name, 3 x, 4 value, 5 least, 6 most.
set datafile separator ","
set terminal pngcairo size 1800, 1000 noenhanced font "sans,10"
set output png
set multiplot layout 2,3 title "Graze layers on ".renderer
of(name, way) = "< grep '^".name.",\"".way."\"' '".csv."'"
names(name) = system("grep '^".name.",' '".csv."' | cut -d, -f2 | sort -u | tr -d '\"' | tr ' ' '~' | tr '\\n' ' '")
plain(name) = system("echo '".name."' | tr '~' ' '")
set logscale y
set key top left
set ylabel "microseconds"
if (names("capture") ne "") {
    set logscale x 2
    set xlabel "layers"
    set title "Capture: one pass against peeling"
    plot for [way in names("capture")] of("capture", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
set logscale x 10
if (names("triangles") ne "") {
    set xlabel "triangles"
    set title "A query against triangles"
    plot for [way in names("triangles")] of("triangles", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
if (names("depth") ne "") {
    set logscale x 2
    set xlabel "layers in a pixel"
    set title "A query against depth complexity"
    plot for [way in names("depth")] of("depth", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
    set logscale x 10
}
if (names("rebuild") ne "") {
    set xlabel "polygons"
    set title "Exact yes or no: every vertex moves, or all is new"
    plot for [way in names("rebuild")] of("rebuild", plain(way)) using 3:4:5:6 with yerrorlines title plain(way)
}
unset logscale x
if (names("self") ne "") {
    set style data histogram
    set style fill solid
    set boxwidth 0.8
    set xtics rotate by -30
    set title "A mesh with itself, from arrays to pairs"
    set xlabel ""
    plot "< grep '^self,' '".csv."'" using 4:xtic(2) notitle
}
unset multiplot
