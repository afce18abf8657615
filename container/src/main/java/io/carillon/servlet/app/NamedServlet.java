package io.carillon.servlet.app;

import javax.servlet.Servlet;

/**
 * An initialized servlet under its name.
 *
 * @param branchResponses whether its class overrides {@code doBranchResponse}: only then is it
 *     called for branch responses
 */
public record NamedServlet(String name, Servlet servlet, boolean branchResponses) {}
