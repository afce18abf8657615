/** The annotation model under Spring: scopes, injection, and handlers with aspects around them. */
@NullMarked
package io.carillon.pojo.spring;

import org.jspecify.annotations.NullMarked;
