/**
 * Applications: archives, descriptors, annotations, class loaders, life cycle.
 *
 * <p>Nothing here knows sessions or messages beyond the interfaces of the SIP Servlet API.
 * Descriptions are immutable values; {@link io.carillon.servlet.app.Application} is the one thing
 * that lives.
 */
@NullMarked
package io.carillon.servlet.app;

import org.jspecify.annotations.NullMarked;
