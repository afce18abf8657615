package io.carillon.servlet.naming;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/** A folder of an application's names. It cannot be written. Any thread. */
// JNDI's environments are Hashtables; nothing is looked up but in a map of our own.
@SuppressWarnings({"JdkObsolete", "BanJNDI"})
final class NamesContext implements Context {
    private final ApplicationNames names;
    private final String folder;
    private final Hashtable<Object, Object> environment;

    /**
     * @param folder relative to {@code java:comp/env}; empty: that itself
     */
    NamesContext(ApplicationNames names, String folder, Hashtable<?, ?> environment) {
        this.names = names;
        this.folder = folder;
        this.environment = new Hashtable<>(environment);
    }

    private String absolute(String name) {
        String relative = ApplicationNames.relative(name);
        if (folder.isEmpty() || name.startsWith("java:")) {
            return relative;
        }
        return relative.isEmpty() ? folder : folder + '/' + relative;
    }

    @Override
    public Object lookup(String name) throws NamingException {
        String absolute = absolute(name);
        Object found = names.find(absolute);
        if (found != null) {
            return found;
        }
        if (names.isFolder(absolute)) {
            return new NamesContext(names, absolute, environment);
        }
        throw new NameNotFoundException(
                "java:comp/env/" + absolute + " is not there; there are " + names.all());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        List<Binding> bindings = new ArrayList<>();
        String absolute = listed(name);
        for (String child : names.children(absolute)) {
            Object value = lookup("java:comp/env/" + absolute + '/' + child);
            bindings.add(new Binding(child, value));
        }
        return new Listed<>(bindings.iterator());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        String absolute = listed(name);
        for (String child : names.children(absolute)) {
            Object value = lookup("java:comp/env/" + absolute + '/' + child);
            pairs.add(new NameClassPair(child, value.getClass().getName()));
        }
        return new Listed<>(pairs.iterator());
    }

    private String listed(String name) throws NamingException {
        if (!(lookup(name) instanceof NamesContext)) {
            throw new NotContextException(name + " holds no names");
        }
        return absolute(name);
    }

    /** Strings, one part after the other. */
    private record Listed<T>(Iterator<T> iterator) implements NamingEnumeration<T> {
        @Override
        public T next() {
            return iterator.next();
        }

        @Override
        public boolean hasMore() {
            return iterator.hasNext();
        }

        @Override
        public boolean hasMoreElements() {
            return iterator.hasNext();
        }

        @Override
        public T nextElement() {
            return iterator.next();
        }

        @Override
        public void close() {}
    }

    // ---- the same by Name ----

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public String getNameInNamespace() {
        return folder.isEmpty() ? "java:comp/env" : "java:comp/env/" + folder;
    }

    // ---- the environment ----

    @Override
    public @Nullable Object addToEnvironment(String property, Object value) {
        return environment.put(property, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String property) {
        return environment.remove(property);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public void close() {}

    // ---- what is not allowed ----

    private static NamingException readOnly(Object name) {
        return new OperationNotSupportedException(
                name
                        + ": java:comp/env cannot be written (Java EE, application component"
                        + " environment)");
    }

    @Override
    public void bind(Name name, Object value) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void bind(String name, Object value) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void rebind(Name name, Object value) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void rebind(String name, Object value) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void rename(Name name, Name other) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void rename(String name, String other) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly(name);
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly(name);
    }
}
