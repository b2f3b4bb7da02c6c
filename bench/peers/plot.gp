# SPDX-License-Identifier: MIT
# Draws what `peers --csv` wrote: for each row the time of every library over Graze's, on a logarithmic axis, Graze at 1. Run by
# `peers --plot`, or: gnuplot -e "csv='peers.csv'; png='peers.png'" plot.gp
set datafile separator ","
set terminal pngcairo size 1400,900 noenhanced font "sans,11"
set output png
set logscale x
set format x "%g"
set grid xtics
set xlabel "time over Graze's for the same queries (right: slower than Graze)"
set arrow from 1, graph 0 to 1, graph 1 nohead linewidth 2
set yrange [*:*] reverse
set offsets 0, 0, 0.5, 0.5
unset key
# Columns: 1 row, 4 way, 6 threads, 14 ratio. Graze on one thread is the line at 1.
lines = system("awk -F, 'NR > 1 && $14 != \"\" { n++ } END { print n + 0 }' '".csv."'")
if (lines == 0) exit error "no ratios in the file"
plot csv using 14:($0):ytic(stringcolumn(1)."  ".stringcolumn(4)) skip 1 with points pointtype 7 pointsize 1.2
