/**
 * What stands behind the annotations: handler classes compiled into tables, messages dispatched by
 * them, arguments, return values, scopes. For frameworks that bring their own beans ({@link
 * io.carillon.pojo.engine.BeanSource}); applications need the annotations alone.
 */
@NullMarked
package io.carillon.pojo.engine;

import org.jspecify.annotations.NullMarked;
