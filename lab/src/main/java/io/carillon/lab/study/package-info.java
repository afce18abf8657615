/** Studies: which JVM settings, and which rates, keep every message from being sent twice. */
@NullMarked
package io.carillon.lab.study;

import org.jspecify.annotations.NullMarked;
