/** Back-to-back user agents: linked sessions and requests. */
@NullMarked
package io.carillon.servlet.feature.b2bua;

import org.jspecify.annotations.NullMarked;
