package io.carillon.servlet.app;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * An application's method annotated {@code @SipApplicationKey}: it says which application session
 * an initial request belongs to (SIP Servlet 1.1, 15.11.2). Immutable; any thread.
 */
public final class SessionKeyMethod {
    private final Method method;
    private final String application;
    private final ClassLoader classLoader;

    private SessionKeyMethod(Method method, String application, ClassLoader classLoader) {
        this.method = method;
        this.application = application;
        this.classLoader = classLoader;
    }

    /**
     * @throws DeploymentException when there is none of that name, or none that may be called so
     */
    static SessionKeyMethod find(
            ApplicationKey key, String application, String archive, ClassLoader classLoader)
            throws DeploymentException {
        String element = "@SipApplicationKey " + key.className() + "." + key.methodName();
        try {
            Method method =
                    Class.forName(key.className(), false, classLoader)
                            .getMethod(key.methodName(), SipServletRequest.class);
            if (method.getReturnType() != String.class
                    || !Modifier.isStatic(method.getModifiers())) {
                throw new DeploymentException(archive, 0, element, AnnotationScan.KEY_RULE);
            }
            method.setAccessible(true);
            return new SessionKeyMethod(method, application, classLoader);
        } catch (ClassNotFoundException | NoSuchMethodException | LinkageError e) {
            throw new DeploymentException(archive, 0, element, AnnotationScan.KEY_RULE, e);
        }
    }

    /**
     * The key that the request has; null for an application session of its own.
     *
     * @throws ServletException when the method throws
     */
    public @Nullable String of(SipServletRequest request) throws ServletException {
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            return (String) method.invoke(null, request);
        } catch (InvocationTargetException e) {
            throw new ServletException(what() + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new ServletException(what() + " cannot be called", e);
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private String what() {
        return "@SipApplicationKey " + method.getName() + " of application " + application;
    }
}
