package io.carillon.servlet.app;

import java.lang.reflect.Method;
import java.util.Arrays;
import javax.servlet.Servlet;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletResponse;

/**
 * An initialized servlet under its name.
 *
 * @param branchResponses whether its class overrides the method for branch responses of a proxy:
 *     only then is it called for them
 */
public record NamedServlet(String name, Servlet servlet, boolean branchResponses) {
    private static final Class<?>[] BRANCH_RESPONSE = {SipServletResponse.class};

    static NamedServlet of(String name, Servlet servlet) {
        return new NamedServlet(name, servlet, overridesBranchResponse(servlet.getClass()));
    }

    private static boolean overridesBranchResponse(Class<?> type) {
        for (Class<?> c = type; c != null && c != SipServlet.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals("doBranchResponse")
                        && Arrays.equals(method.getParameterTypes(), BRANCH_RESPONSE)) {
                    return true;
                }
            }
        }
        return false;
    }
}
