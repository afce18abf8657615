/**
 * Several applications on one call (JSR 289, chapter 15): who is next for an initial request, and
 * which way the later ones take between the applications that stayed.
 */
@NullMarked
package io.carillon.servlet.feature.compose;

import org.jspecify.annotations.NullMarked;
