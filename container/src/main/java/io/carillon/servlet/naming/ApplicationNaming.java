package io.carillon.servlet.naming;

import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.NamingManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code new InitialContext()} for applications: the thread's context class loader says whose names
 * are meant, so every version of an application has its own. Any thread.
 *
 * <p>JNDI knows one way only in which code of other class loaders does not have to see our classes:
 * the builder of initial contexts, of which there is one in a JVM. It leaves to the JDK's rules
 * what is not an application's: names of other schemes, and environments that name a factory.
 */
public final class ApplicationNaming {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationNaming.class);
    private static final Map<ClassLoader, ApplicationNames> NAMES = new ConcurrentHashMap<>();
    private static final boolean INSTALLED = install();

    private ApplicationNaming() {}

    private static boolean install() {
        try {
            NamingManager.setInitialContextFactoryBuilder(environment -> ApplicationNaming::context);
            return true;
        } catch (NamingException | IllegalStateException e) {
            LOG.warn(
                    "JNDI of this process is somebody else's: applications will not find"
                            + " java:comp/env ({})",
                    String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** From now on, threads with this context class loader, or one below it, see these names. */
    public static void open(ClassLoader application, ApplicationNames names) {
        if (INSTALLED) {
            NAMES.put(application, names);
        }
    }

    /** The application is gone. */
    public static void close(ClassLoader application) {
        NAMES.remove(application);
    }

    private static @Nullable ApplicationNames ofThread() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        while (loader != null) {
            ApplicationNames names = NAMES.get(loader);
            if (names != null) {
                return names;
            }
            loader = loader.getParent();
        }
        return null;
    }

    private static Context context(@Nullable Hashtable<?, ?> given) throws NamingException {
        Hashtable<?, ?> environment = given == null ? new Hashtable<>() : given;
        ApplicationNames names = ofThread();
        Object factory = environment.get(Context.INITIAL_CONTEXT_FACTORY);
        Context others = factory == null ? null : made(factory.toString(), environment, names);
        if (others == null && names == null) {
            throw new NoInitialContextException(
                    "this thread belongs to no application, and the environment names no "
                            + Context.INITIAL_CONTEXT_FACTORY);
        }
        Context own = names == null ? null : new NamesContext(names, "", environment);
        return byScheme(own, others, environment);
    }

    /**
     * The context of the factory that the environment names. An application that came from another
     * server may name that server's: then the application's own names are all there is.
     */
    private static @Nullable Context made(
            String className, Hashtable<?, ?> environment, @Nullable ApplicationNames names)
            throws NamingException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        InitialContextFactory factory;
        try {
            factory =
                    Class.forName(className, true, loader)
                            .asSubclass(InitialContextFactory.class)
                            .getConstructor()
                            .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            if (names != null) {
                LOG.warn(
                        "{} {} cannot be made ({}); the application's own names are taken",
                        Context.INITIAL_CONTEXT_FACTORY,
                        className,
                        e.toString());
                return null;
            }
            NamingException failure =
                    new NoInitialContextException(className + " cannot be made: " + e);
            failure.setRootCause(e);
            throw failure;
        }
        return factory.getInitialContext(environment);
    }

    /** Each call goes to the context that the scheme of its first argument asks for. */
    private static Context byScheme(
            @Nullable Context own, @Nullable Context others, Hashtable<?, ?> environment) {
        return (Context)
                Proxy.newProxyInstance(
                        Context.class.getClassLoader(),
                        new Class<?>[] {Context.class},
                        (proxy, method, arguments) -> {
                            if (method.getDeclaringClass() == Object.class) {
                                return method.invoke(own == null ? others : own, arguments);
                            }
                            Object first =
                                    arguments == null || arguments.length == 0
                                            ? ""
                                            : arguments[0];
                            Context chosen = choose(own, others, first, environment);
                            try {
                                return method.invoke(chosen, arguments);
                            } catch (java.lang.reflect.InvocationTargetException e) {
                                throw e.getCause() == null ? e : e.getCause();
                            }
                        });
    }

    private static Context choose(
            @Nullable Context own,
            @Nullable Context others,
            @Nullable Object name,
            Hashtable<?, ?> environment)
            throws NamingException {
        String text = name instanceof Name || name instanceof String ? name.toString() : "";
        int colon = text.indexOf(':');
        int slash = text.indexOf('/');
        String scheme = colon > 0 && (slash < 0 || colon < slash) ? text.substring(0, colon) : "";
        if (own != null && (scheme.equals("java") || (scheme.isEmpty() && others == null))) {
            return own;
        }
        if (!scheme.isEmpty() && !scheme.equals("java")) {
            Context found = NamingManager.getURLContext(scheme, environment);
            if (found != null) {
                return found;
            }
        }
        Context left = others != null ? others : own;
        if (left == null) {
            throw new NoInitialContextException(new CompositeName(text) + " is nobody's");
        }
        return left;
    }
}
