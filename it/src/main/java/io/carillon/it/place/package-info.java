/** Where calls and pages are in a cluster: what is said of it against what happens. */
@NullMarked
package io.carillon.it.place;

import org.jspecify.annotations.NullMarked;
