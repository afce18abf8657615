package io.carillon.pojo.engine;

import io.carillon.pojo.SipHandler;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/**
 * Handlers without a framework: the classes that the context parameter {@value #HANDLERS} names,
 * separated by commas or white space; without it, each class in WEB-INF/classes that is annotated
 * {@link SipHandler}. Each is made once, by its constructor without parameters.
 */
final class PlainBeans implements BeanSource {
    /** Class names. */
    static final String HANDLERS = "io.carillon.pojo.handlers";

    @Override
    public List<HandlerBean> start(ServletContext context) throws ServletException {
        List<HandlerBean> beans = new ArrayList<>();
        for (String name : names(context)) {
            beans.add(HandlerBean.of(make(name)));
        }
        if (beans.isEmpty()) {
            throw new HandlerException(
                    "no class in WEB-INF/classes is annotated @SipHandler, and no context parameter "
                            + HANDLERS
                            + " names one");
        }
        return beans;
    }

    private static Object make(String name) throws HandlerException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            Class<?> type = Class.forName(name, true, loader);
            if (!type.isAnnotationPresent(SipHandler.class)) {
                throw new HandlerException(name + " is not annotated @SipHandler");
            }
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ClassNotFoundException e) {
            throw new HandlerException("handler class " + name + " is not in the archive", e);
        } catch (InvocationTargetException e) {
            throw new HandlerException("the constructor of " + name + " threw " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new HandlerException(
                    name
                            + " cannot be made: without Spring or CDI it is a class with a"
                            + " constructor without parameters",
                    e);
        }
    }

    private static Set<String> names(ServletContext context) throws ServletException {
        String listed = context.getInitParameter(HANDLERS);
        if (listed != null) {
            Set<String> names = new TreeSet<>(List.of(listed.strip().split("[,\\s]+")));
            names.remove("");
            return names;
        }
        return ArchiveClasses.handlers(context);
    }
}
