/** One node of a cluster: takes beats, changes and time, gives beats, proposals and promotions. */
@NullMarked
package io.carillon.cluster.node;

import org.jspecify.annotations.NullMarked;
