/** How long an owner may act: beats, their acknowledgements, and what follows from them. */
@NullMarked
package io.carillon.cluster.lease;

import org.jspecify.annotations.NullMarked;
