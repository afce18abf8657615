/** Virtual time, scripted peers and simulated networks, for our tests and for users' own. */
@NullMarked
package io.carillon.testkit;

import org.jspecify.annotations.NullMarked;
