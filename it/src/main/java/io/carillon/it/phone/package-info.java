/** Real phones at the registrar. */
@NullMarked
package io.carillon.it.phone;

import org.jspecify.annotations.NullMarked;
