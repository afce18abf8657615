package io.carillon.servlet.naming.java;

import io.carillon.servlet.naming.ApplicationNaming;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names that begin with {@code java:}. JNDI makes it by its name: the scheme, twice
 * ({@link javax.naming.spi.NamingManager#getURLContext}).
 */
// The name is what JNDI asks for; nothing is looked up but in a map of our own.
@SuppressWarnings({"MemberName", "BanJNDI"})
public final class javaURLContextFactory implements ObjectFactory {
    @Override
    public Object getObjectInstance(
            @Nullable Object url,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        Context names = ApplicationNaming.context(environment);
        return url instanceof String text ? names.lookup(text) : names;
    }
}
