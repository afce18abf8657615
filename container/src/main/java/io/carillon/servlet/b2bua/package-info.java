/** Back-to-back user agents: linked sessions and requests. */
@NullMarked
package io.carillon.servlet.b2bua;

import org.jspecify.annotations.NullMarked;
