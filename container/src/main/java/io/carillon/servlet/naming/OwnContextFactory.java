package io.carillon.servlet.naming;

import java.io.IOException;
import java.io.InputStream;
import java.util.Hashtable;
import java.util.Properties;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.NamingManager;
import org.jspecify.annotations.Nullable;

/**
 * The initial context of whoever names no factory: names without a scheme are the application's
 * own, unless a {@code jndi.properties} of its archive names another factory. JNDI makes it by its
 * name.
 */
@SuppressWarnings("JdkObsolete") // JNDI's environments are Hashtables
public final class OwnContextFactory implements InitialContextFactory {
    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        String other = otherFactory();
        if (other == null) {
            return ApplicationNaming.context(environment);
        }
        Hashtable<Object, Object> changed = new Hashtable<>(environment);
        changed.put(Context.INITIAL_CONTEXT_FACTORY, other);
        return NamingManager.getInitialContext(changed);
    }

    private static @Nullable String otherFactory() throws NamingException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try (InputStream in =
                loader == null ? null : loader.getResourceAsStream("jndi.properties")) {
            if (in == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty(Context.INITIAL_CONTEXT_FACTORY);
        } catch (IOException | IllegalArgumentException e) {
            NamingException failure =
                    new NoInitialContextException("jndi.properties cannot be read: " + e);
            failure.setRootCause(e);
            throw failure;
        }
    }
}
