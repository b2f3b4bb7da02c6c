# SPDX-License-Identifier: MIT
# Draws what `peers --csv` wrote: for each row the time of every library over Graze's, on a logarithmic axis, Graze at
# 1. Run by `peers --plot`, or: gnuplot -e "csv='peers.csv'; png='peers.png'" plot.gp Columns used: 1 row, 4 way, 7
# transform excluded, 14 ratio.
set datafile separator ","
rows = "< grep -v ^truth, '".csv."'"
lines = system("grep -cv -e ^truth, -e ^row, '".csv."'")
set terminal pngcairo size 1200, 100 + 17 * lines noenhanced font "sans,10"
set output png
set logscale x
set format x "%g"
set grid xtics
set xlabel "time over Graze's for the same queries: left of 1 faster than Graze, right of it slower; hollow: transform excluded"
set arrow from 1, graph 0 to 1, graph 1 nohead linewidth 2
set yrange [lines:-1]
unset key
plot rows using (column(7) == 0 ? column(14) : NaN):0:ytic(stringcolumn(1)."  ".stringcolumn(4)) skip 1 with points pointtype 7, \
     rows using (column(7) == 1 ? column(14) : NaN):0 skip 1 with points pointtype 6 linecolor 1
