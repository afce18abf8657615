/** Measurements of one server: cold start, held calls, garbage, what a trace and a load cost. */
@NullMarked
package io.carillon.lab.measure;

import org.jspecify.annotations.NullMarked;
