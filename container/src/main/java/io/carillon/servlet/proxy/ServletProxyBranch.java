package io.carillon.servlet.proxy;
import javax.servlet.sip.*;
import java.util.List;
public abstract class ServletProxyBranch implements ProxyBranch {
}
