/** Applications that do not keep up with their new calls: seen, and shed alone. */
@NullMarked
package io.carillon.servlet.feature.overload;

import org.jspecify.annotations.NullMarked;
