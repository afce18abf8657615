/**
 * How the state of calls gets into the {@link io.carillon.servlet.port.CallStore}, and which
 * messages wait for it.
 */
@NullMarked
package io.carillon.servlet.feature.protect;

import org.jspecify.annotations.NullMarked;
