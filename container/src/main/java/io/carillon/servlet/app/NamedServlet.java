package io.carillon.servlet.app;

import javax.servlet.Servlet;

/**
 * An initialized servlet under its name.
 *
 * @param branchResponses whether its class overrides the method for branch responses of a proxy:
 *     only then is it called for them
 */
public record NamedServlet(String name, Servlet servlet, boolean branchResponses) {}
