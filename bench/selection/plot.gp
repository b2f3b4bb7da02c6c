# SPDX-License-Identifier: MIT
# Draws what `selection --csv` wrote, the parts that are in it. Run by `selection --plot`, or:
# gnuplot -e "csv='selection.csv'; png='selection.png'; renderer='…'" plot.gp
# Columns: 1 part, 2 name, 3 x, 4 value, 5 least, 6 most, 7 99th percentile.
set datafile separator ","
set terminal pngcairo size 1800, 1000 noenhanced font "sans,10"
set output png
set multiplot layout 2,3 title "Graze selection on ".renderer
of(part, way) = "< grep '^".part.",\"".way."\"' '".csv."'"
models = system("grep '^faces ' '".csv."' | cut -d, -f1 | awk '!seen[$0]++' | tr ' ' '~' | tr '\\n' ' '")
plain(name) = system("echo '".name."' | tr '~' ' '")
set logscale xy
set key top left
set ylabel "microseconds"
if (models ne "") {
    set xlabel "faces in a leaf"
    do for [what in "query update total"] {
        set title "Figure 2: ".what
        plot for [m in models] of(plain(m), what) using 3:4 with linespoints title plain(m)
    }
}
if (system("grep -c '^size,' '".csv."'") > 0) {
    set xlabel "triangles"
    set title "Figure 3"
    plot for [what in "query update total"] of("size", what) using 3:4 with linespoints title what
}
ways = system("grep '^peers,' '".csv."' | cut -d, -f2 | awk '!seen[$0]++' | tr -d '\"' | tr ' ' '~' | tr '\\n' ' '")
if (ways ne "") {
    set title "A step: refit and all pairs"
    plot for [way in ways] of("peers", plain(way)) using 3:4 with linespoints title plain(way)
}
ruled = system("grep '^rule ' '".csv."' | tail -1 | cut -d, -f1 | tr ' ' '~'")
if (ruled ne "") {
    set title "A step, ".system("echo '".ruled."' | cut -d~ -f2- | tr '~' ' '").": each mesh with leaves of its own size"
    set xlabel "faces in a leaf of the model"
    plot for [n in system("grep '^rule ' '".csv."' | cut -d, -f2 | awk '!seen[$0]++' | tr -dc '0-9\n' | tr '\n' ' '")] \
        of(plain(ruled), "scalpel ".n) using 3:4 with linespoints title "scalpel ".n
}
unset multiplot
