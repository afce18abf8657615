/** Reports as one page that needs no network: charts, tables, print, phone. */
@NullMarked
package io.carillon.lab.report;

import org.jspecify.annotations.NullMarked;
