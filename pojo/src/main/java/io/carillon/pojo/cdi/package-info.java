/**
 * The annotation model under CDI: a portable extension with scopes, injection and events, and
 * handlers with interceptors and decorators around them.
 */
@NullMarked
package io.carillon.pojo.cdi;

import org.jspecify.annotations.NullMarked;
