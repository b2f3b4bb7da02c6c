# SPDX-License-Identifier: MIT
# Draws what `structures --csv` wrote: a panel for each column, bars for each structure, on logarithmic axes. Run by
# `structures --plot`, or: gnuplot -e "csv='structures.csv'; png='structures.png'" plot.gp
set datafile separator ","
set terminal pngcairo size 1500, 900 noenhanced font "sans,11"
set output png
meshes = "even crowded flat slivers"
titles = "'build, ms' 'new positions, ms' 'memory, bytes a triangle' 'apart, µs' 'yes or no, touching, µs' 'all pairs, ms' 'with itself, ms' 'a ray, µs'"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 noborder
set logscale y
set format y "%g"
set grid ytics
set xtics nomirror rotate by -40
set multiplot layout 2, 4
do for [c = 0:7] {
    set title word(titles, c + 1) offset 0, -0.5
    if (c == 0) { set key top left samplen 1 } else { unset key }
    plot for [m = 1:4] "< grep '^".word(meshes, m).",' '".csv."'" using (column(4 + c)):xtic(3) title word(meshes, m)
}
unset multiplot
