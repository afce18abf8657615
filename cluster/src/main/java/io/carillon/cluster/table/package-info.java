/** Who owns which partition, who is next, and the changes that voters agree on. */
@NullMarked
package io.carillon.cluster.table;

import org.jspecify.annotations.NullMarked;
