/** The SIP Servlet container. */
@NullMarked
package io.carillon.servlet;

import org.jspecify.annotations.NullMarked;
