/** Many numbered messages through a router and nodes of several loops: is their order kept? */
@NullMarked
package io.carillon.it.order;

import org.jspecify.annotations.NullMarked;
