package io.carillon.pojo.engine;

import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/**
 * Chooses where the beans of an archive come from: what the context parameter {@value #PARAMETER}
 * names, else the framework that the archive holds, else the classes alone.
 */
final class BeanSources {
    /** {@code spring}, {@code cdi} or {@code plain}. */
    static final String PARAMETER = "io.carillon.pojo.beans";

    private static final String PLAIN = "plain";

    private BeanSources() {}

    static BeanSource choose(ServletContext context) throws ServletException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        String asked = context.getInitParameter(PARAMETER);
        Set<String> names = new TreeSet<>(Set.of(PLAIN));
        BeanSourceProvider found = null;
        for (BeanSourceProvider provider : ServiceLoader.load(BeanSourceProvider.class, loader)) {
            names.add(provider.name());
            if (asked == null ? isThere(provider.needs(), loader) : asked.equals(provider.name())) {
                if (found != null) {
                    throw new ServletException(
                            "the archive holds the classes of "
                                    + found.name()
                                    + " and of "
                                    + provider.name()
                                    + ": the context parameter "
                                    + PARAMETER
                                    + " has to say which one makes the handlers");
                }
                found = provider;
            }
        }
        if (found == null && asked != null && !asked.equals(PLAIN)) {
            throw new ServletException(
                    "context parameter "
                            + PARAMETER
                            + " is '"
                            + asked
                            + "' and has to be one of "
                            + names);
        }
        if (found != null && !isThere(found.needs(), loader)) {
            throw new ServletException(
                    "context parameter "
                            + PARAMETER
                            + " is "
                            + found.name()
                            + ", and the archive does not hold "
                            + found.needs());
        }
        return found == null ? new PlainBeans() : found.create();
    }

    private static boolean isThere(String className, ClassLoader loader) {
        try {
            Class.forName(className, false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
