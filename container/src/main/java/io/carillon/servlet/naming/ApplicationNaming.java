package io.carillon.servlet.naming;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Hashtable;
import java.util.Map;
import java.util.WeakHashMap;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import org.jspecify.annotations.Nullable;

/**
 * {@code new InitialContext()} for applications: the thread's context class loader says whose names
 * are meant, so every version of an application has its own. Any thread.
 *
 * <p>JNDI finds our two factories by system properties, and loads them by the thread's context
 * class loader. (The other way, a builder of all initial contexts, would keep applications from the
 * JDK's own providers: code outside of the JDK cannot make that of LDAP.)
 */
@SuppressWarnings("JdkObsolete") // JNDI's environments are Hashtables
public final class ApplicationNaming {
    /** What JNDI asks for by its name, for names that begin with {@code java:}. */
    private static final String URL_CONTEXT =
            "io.carillon.servlet.naming.java.javaURLContextFactory";

    /**
     * The names are their application's: one that nobody holds any more, as its server was never
     * closed, is not held here.
     */
    private static final Map<ClassLoader, WeakReference<ApplicationNames>> NAMES =
            Collections.synchronizedMap(new WeakHashMap<>());

    private ApplicationNaming() {}

    /** The classes of ours that an application's class loader must not hide. */
    public static boolean isFactory(String className) {
        return className.equals(URL_CONTEXT) || className.equals(OwnContextFactory.class.getName());
    }

    /**
     * From now on, threads with this context class loader, or one below it, see these names.
     *
     * @param names held by the application as long as it lives
     */
    public static synchronized void open(ClassLoader application, ApplicationNames names) {
        String own = ApplicationNaming.class.getPackageName();
        String packages = System.getProperty(Context.URL_PKG_PREFIXES);
        if (packages == null || packages.isBlank()) {
            System.setProperty(Context.URL_PKG_PREFIXES, own);
        } else if (!packages.contains(own)) {
            System.setProperty(Context.URL_PKG_PREFIXES, own + ":" + packages);
        }
        if (System.getProperty(Context.INITIAL_CONTEXT_FACTORY) == null) {
            System.setProperty(Context.INITIAL_CONTEXT_FACTORY, OwnContextFactory.class.getName());
        }
        NAMES.put(application, new WeakReference<>(names));
    }

    /** The application is gone. */
    public static void close(ClassLoader application) {
        NAMES.remove(application);
    }

    /**
     * The names of this thread's application.
     *
     * @throws NoInitialContextException when it belongs to none
     */
    public static Context context(@Nullable Hashtable<?, ?> environment) throws NamingException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        while (loader != null) {
            WeakReference<ApplicationNames> known = NAMES.get(loader);
            ApplicationNames names = known == null ? null : known.get();
            if (names != null) {
                return new NamesContext(
                        names, "", environment == null ? new Hashtable<>() : environment);
            }
            loader = loader.getParent();
        }
        throw new NoInitialContextException("this thread belongs to no application");
    }
}
